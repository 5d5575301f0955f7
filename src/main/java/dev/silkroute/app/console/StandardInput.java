package dev.silkroute.app.console;

import dev.silkroute.app.config.OperatorError;
import dev.silkroute.app.config.UsageError;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Standard input as an argument of a command. */
public final class StandardInput {
    private StandardInput() {}

    /**
     * Reads all of standard input as UTF-8.
     *
     * @param content what it should contain, for error messages
     * @throws UsageError if it is a terminal, empty, or longer than {@code maxBytes}
     */
    public static String read(String content, int maxBytes) {
        if (Terminal.isStandardInput()) {
            throw new UsageError(content + " is required: as an argument, or on standard input");
        }
        byte[] bytes;
        try {
            bytes = System.in.readNBytes(maxBytes + 1);
        } catch (IOException e) {
            throw new OperatorError("cannot read standard input: " + OperatorError.reason(e), e);
        }
        if (bytes.length > maxBytes) {
            throw new UsageError("standard input is longer than " + maxBytes + " bytes");
        }
        var text = new String(bytes, StandardCharsets.UTF_8);
        if (text.isBlank()) {
            throw new UsageError(content + " is required: standard input is empty");
        }
        return text;
    }
}
