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

/** Where commands write their answers. Not {@code System.out}, which takes every text on and says nothing when it is lost. */
public final class StandardOutput {
    private StandardOutput() {}

    public static Writer open() {
        return new BufferedWriter(
                new OutputStreamWriter(new FileOutputStream(FileDescriptor.out), StandardCharsets.UTF_8), 1 << 16);
    }

    /** Writes a whole answer. */
    public static void print(String text) {
        try (Writer out = open()) {
            out.write(text);
        } catch (IOException e) {
            explain(e, "");
        }
    }

    /**
     * What became of an answer that couldn't be written: nothing to tell where whoever read it has gone, as head does, else
     * an {@link OperatorError}.
     *
     * @param besides what is to be said with the error
     */
    public static void explain(IOException e, String besides) {
        var reason = OperatorError.reason(e);
        if (!reason.toLowerCase(Locale.ROOT).contains("broken pipe")) {
            throw new OperatorError("cannot write the answer: " + reason + besides, e);
        }
    }
}
