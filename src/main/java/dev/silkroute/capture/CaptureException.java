package dev.silkroute.capture;

import java.io.IOException;
import java.nio.file.Path;

/**
 * A capture cannot be read, or not beyond some offset. The message is one line: file, offset after decompression,
 * reason; without the offset if the error concerns the whole file.
 */
public final class CaptureException extends IOException {
    private static final long serialVersionUID = 1L;

    private final transient Path file;
    private final long offset;
    private final String reason;

    public CaptureException(Path file, long offset, String reason) {
        this(file, offset, reason, file + ": offset " + offset + ": " + reason);
    }

    private CaptureException(Path file, long offset, String reason, String message) {
        super(message);
        this.file = file;
        this.offset = offset;
        this.reason = reason;
    }

    /** Returns an error of the whole file; {@link #offset} is 0. */
    public static CaptureException ofFile(Path file, String reason) {
        return new CaptureException(file, 0, reason, file + ": " + reason);
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
