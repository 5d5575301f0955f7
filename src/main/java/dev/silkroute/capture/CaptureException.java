package dev.silkroute.capture;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Why a capture cannot be read, or not past a point: the file, the offset in it (after decompression), and the reason,
 * in one line.
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

    /** Bytes from the start of the file, of its content where it is compressed. */
    public long offset() {
        return offset;
    }

    public String reason() {
        return reason;
    }
}
