package dev.silkroute.capture;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A capture on disk: a raw BMP stream, a pcap, a pcapng or of a format that is given, each also with gzip or bzip2 around it. What it is, its first bytes
 * decide, never its name. Thread-safe; each reader that it opens belongs to one thread.
 */
public final class CaptureFile {
    private static final int SNIFFED = CaptureFormat.SNIFFED;

    private final Path file;
    private final SessionSource source;
    private @Nullable Survey survey;

    private CaptureFile(Path file, SessionSource source) {
        this.file = file;
        this.source = source;
    }

    /**
     * Looks what the file is.
     *
     * @throws CaptureException where it is no capture, or one that cannot be read
     */
    public static CaptureFile open(Path file) throws CaptureException {
        return open(file, List.of());
    }

    /** The same, where these formats are known too. */
    public static CaptureFile open(Path file, List<CaptureFormat> formats) throws CaptureException {
        try (CaptureInput input = CaptureInput.open(file)) {
            return new CaptureFile(file, source(input, input.peek(SNIFFED), formats));
        }
    }

    private static SessionSource source(CaptureInput input, byte[] first, List<CaptureFormat> formats)
            throws CaptureException {
        if (first.length == 0) {
            throw input.error("is empty");
        }
        int magic = first.length < Integer.BYTES ? 0 : ByteBuffer.wrap(first).getInt();
        if (PcapReader.isMagic(magic)) {
            return new PacketSource(input.file(), PcapReader::new);
        }
        if (magic == PcapngReader.SECTION_HEADER) {
            return new PacketSource(input.file(), PcapngReader::new);
        }
        if (first.length >= BmpHeader.LENGTH && BmpHeader.plausible(first, 0)) {
            return new RawSource(input.file());
        }
        for (CaptureFormat format : formats) {
            if (format.recognises(first)) {
                return format.source(input.file());
            }
        }
        throw input.error("is not a capture: nothing that can be replayed begins like this");
    }

    public Path file() {
        return file;
    }

    /**
     * Which sessions the file holds: reads it once, the first time.
     *
     * @throws CaptureException where there is no session in it
     */
    public synchronized Survey survey() throws CaptureException {
        Survey known = survey;
        if (known == null) {
            known = source.survey();
            survey = known;
        }
        return known;
    }

    /** Reads a session of the survey from its first byte. */
    public SessionReader read(CaptureSession session) throws CaptureException {
        return new BoundedReader(source.read(session), file, session);
    }
}
