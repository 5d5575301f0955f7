package dev.silkroute.capture;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A capture file of any format, optionally compressed with gzip or bzip2. The format is determined from the first
 * bytes, not from the name. Thread-safe; each reader that it opens belongs to one thread.
 */
public final class CaptureFile {
    private final Path file;
    private final SessionSource source;
    private @Nullable Survey survey;

    private CaptureFile(Path file, SessionSource source) {
        this.file = file;
        this.source = source;
    }

    /**
     * Determines the format of a file.
     *
     * @param formats in the order in which they are tried
     * @throws CaptureException if the file cannot be read or has none of the formats
     */
    public static CaptureFile open(Path file, List<CaptureFormat> formats) throws CaptureException {
        try (CaptureInput input = CaptureInput.open(file)) {
            byte[] first = input.peek(CaptureFormat.SNIFFED_BYTES);
            if (first.length == 0) {
                throw input.error("the file is empty");
            }
            for (CaptureFormat format : formats) {
                if (format.recognizes(first)) {
                    return new CaptureFile(file, format.open(file));
                }
            }
            throw input.error("not a capture, its first bytes match no known format");
        }
    }

    public Path file() {
        return file;
    }

    /**
     * Returns the sessions of the file. The first call reads the whole file.
     *
     * @throws CaptureException if the file contains no session
     */
    public synchronized Survey survey() throws CaptureException {
        Survey known = survey;
        if (known == null) {
            known = source.survey();
            survey = known;
        }
        return known;
    }

    /** Opens a session of the survey at its first byte. */
    public SessionReader read(CaptureSession session) throws CaptureException {
        return new BoundedReader(source.read(session), file, session);
    }
}
