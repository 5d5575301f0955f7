package dev.silkroute.app.mock;

import dev.silkroute.app.config.OperatorError;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.UnresolvedAddressException;
import java.util.Arrays;

/** Why sending failed, out of what Camel and Netty have put around it. */
final class RootCause {
    private RootCause() {}

    /** The innermost cause, or the first of a kind that says enough. */
    static Throwable of(Throwable thrown, Class<?>... enough) {
        Throwable root = thrown;
        while (root.getCause() != null && !isOne(root, enough)) {
            root = root.getCause();
        }
        return root;
    }

    private static boolean isOne(Throwable thrown, Class<?>... kinds) {
        return Arrays.stream(kinds).anyMatch(kind -> kind.isInstance(thrown));
    }

    static String text(Throwable root) {
        if (root instanceof UnknownHostException || root instanceof UnresolvedAddressException) {
            return "no such host";
        }
        return root instanceof ClosedChannelException ? "the station closed it" : OperatorError.reason(root);
    }
}
