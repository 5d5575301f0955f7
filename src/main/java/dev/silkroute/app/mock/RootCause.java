package dev.silkroute.app.mock;

import dev.silkroute.app.config.OperatorError;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.UnresolvedAddressException;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.net.ssl.SSLException;

/** Finds the reason of a failed send below the exceptions in which Camel and Netty wrap it. */
final class RootCause {
    private static final String ALERT = "Received fatal alert: ";

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

    /** Returns whether TLS could not be established: a certificate is not accepted, or the protocol failed. */
    static boolean isTls(Throwable cause) {
        return cause instanceof GeneralSecurityException || cause instanceof SSLException;
    }

    static String text(Throwable cause) {
        if (cause instanceof UnknownHostException || cause instanceof UnresolvedAddressException) {
            return "unknown host";
        }
        if (cause instanceof GeneralSecurityException) {
            return "the station's certificate is not accepted: " + OperatorError.reason(cause);
        }
        if (cause instanceof SSLException) {
            String reason = OperatorError.reason(cause);
            int alert = reason.indexOf(ALERT);
            return alert < 0
                    ? "TLS: " + reason
                    : "the station rejected the TLS connection: " + reason.substring(alert + ALERT.length());
        }
        return cause instanceof ClosedChannelException
                ? "the station closed the connection"
                : OperatorError.reason(cause);
    }
}
