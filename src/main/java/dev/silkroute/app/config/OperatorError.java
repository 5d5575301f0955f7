package dev.silkroute.app.config;

import java.net.ConnectException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/**
 * An error that the operator can correct: a port in use, an unreachable database, an invalid option. Its message is
 * printed on one line, so it names what failed, why and, where possible, what to do.
 */
public class OperatorError extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public OperatorError(String message) {
        super(oneLine(message));
    }

    public OperatorError(String message, Throwable cause) {
        super(oneLine(message), cause);
    }

    /**
     * Returns the reason of an exception on one line: its message, or its type if it has none. Wrappers of executors
     * are unwrapped. Some exceptions of the file system have only a path as their message; for these the reason is
     * spelled out.
     */
    public static String reason(Throwable thrown) {
        var wrapped = thrown instanceof ExecutionException || thrown instanceof CompletionException
                ? thrown.getCause()
                : null;
        var cause = wrapped == null ? thrown : wrapped;
        var message = switch (cause) {
            case AccessDeniedException _ -> "permission denied";
            case NoSuchFileException _ -> "no such file or directory";
            case ConnectException connect -> reasonOf(connect);
            default -> cause.getMessage();
        };
        return message == null || message.isBlank() ? cause.getClass().getSimpleName() : oneLine(message);
    }

    /** Java's HTTP client gives no message. */
    private static String reasonOf(ConnectException thrown) {
        if (thrown.getMessage() != null) {
            return thrown.getMessage();
        }
        return isUnresolved(thrown) ? "unknown host" : "connection refused";
    }

    private static boolean isUnresolved(Throwable thrown) {
        return thrown instanceof UnresolvedAddressException
                || thrown.getCause() != null && isUnresolved(thrown.getCause());
    }

    private static String oneLine(String text) {
        return text.strip().replaceAll("\\s*\\R\\s*", " ");
    }
}
