package dev.silkroute.app.console;

import dev.silkroute.app.config.OperatorError;
import java.io.BufferedWriter;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Standard output as a writer that reports errors; {@code System.out} would swallow them. */
public final class StandardOutput {
    private static final int BUFFER_CHARS = 1 << 16;

    private StandardOutput() {}

    public static Writer open() {
        return new BufferedWriter(
                new OutputStreamWriter(new FileOutputStream(FileDescriptor.out), StandardCharsets.UTF_8), BUFFER_CHARS);
    }

    /**
     * Prints a complete answer. Standard output stays open.
     *
     * @throws OperatorError if it cannot be written, unless the reader has closed the pipe
     */
    public static void print(String text) {
        try {
            Writer out = open();
            out.write(text);
            out.flush();
        } catch (IOException e) {
            reportUnlessClosed(e, "");
        }
    }

    /**
     * Turns a failed write into an error, except where the reader has closed the pipe, as {@code head} does.
     *
     * @param consequence appended to the error message
     */
    public static void reportUnlessClosed(IOException e, String consequence) {
        var reason = OperatorError.reason(e);
        if (!reason.toLowerCase(Locale.ROOT).contains("broken pipe")) {
            throw new OperatorError("cannot write to standard output: " + reason + consequence, e);
        }
    }
}
