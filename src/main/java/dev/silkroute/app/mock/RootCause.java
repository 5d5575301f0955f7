package dev.silkroute.app.mock;

import dev.silkroute.app.config.OperatorError;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.UnresolvedAddressException;
import java.util.Arrays;

/** Finds the reason of a failed send below the exceptions in which Camel and Netty wrap it. */
final class RootCause {
    private RootCause() {}

    /**
     * Returns the innermost cause, or the first of one of these types, whose message is more useful than its cause's.
     */
    static Throwable of(Throwable thrown, Class<?>... types) {
        Throwable cause = thrown;
        while (cause.getCause() != null && !isInstance(cause, types)) {
            cause = cause.getCause();
        }
        return cause;
    }

    private static boolean isInstance(Throwable thrown, Class<?>... types) {
        return Arrays.stream(types).anyMatch(type -> type.isInstance(thrown));
    }

    static String text(Throwable cause) {
        if (cause instanceof UnknownHostException || cause instanceof UnresolvedAddressException) {
            return "unknown host";
        }
        return cause instanceof ClosedChannelException
                ? "the station closed the connection"
                : OperatorError.reason(cause);
    }
}
