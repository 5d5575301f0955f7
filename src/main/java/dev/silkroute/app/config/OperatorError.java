package dev.silkroute.app.config;

import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/**
 * Something the operator can mend: a port in use, a refused database, a bad option. Its message is the one clear line
 * they read, so it names the thing, what is wrong with it and, where there is one, the way out.
 */
public final class OperatorError extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public OperatorError(String message) {
        super(oneLine(message));
    }

    public OperatorError(String message, Throwable cause) {
        super(oneLine(message), cause);
    }

    /**
     * The message of an exception where it has one, else its kind, on one line; a wrapper's is that of what it wraps. Of the commonest reasons why a
     * file can't be read the message is its path alone: these are said.
     */
    public static String reason(Throwable thrown) {
        var wrapped = thrown instanceof ExecutionException || thrown instanceof CompletionException
                ? thrown.getCause()
                : null;
        var cause = wrapped == null ? thrown : wrapped;
        var message = switch (cause) {
            case AccessDeniedException _ -> "permission denied";
            case NoSuchFileException _ -> "it is not there";
            default -> cause.getMessage();
        };
        return message == null || message.isBlank() ? cause.getClass().getSimpleName() : oneLine(message);
    }

    private static String oneLine(String text) {
        return text.strip().replaceAll("\\s*\\R\\s*", " ");
    }
}
