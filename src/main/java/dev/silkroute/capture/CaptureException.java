package dev.silkroute.capture;

import java.io.IOException;
import java.nio.file.Path;

/**
 * A capture cannot be read, or not beyond some offset. The message is one line: file, offset after decompression,
 * reason.
 */
public final class CaptureException extends IOException {
    private static final long serialVersionUID = 1L;

    private final transient Path file;
    private final long offset;
    private final String reason;

    public CaptureException(Path file, long offset, String reason) {
        super(file + ": offset " + offset + ": " + reason);
        this.file = file;
        this.offset = offset;
        this.reason = reason;
    }

    public Path file() {
        return file;
    }

    /** Returns the offset in the file, or in its decompressed content. */
    public long offset() {
        return offset;
    }

    public String reason() {
        return reason;
    }
}
