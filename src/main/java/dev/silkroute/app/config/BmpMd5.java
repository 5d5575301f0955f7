package dev.silkroute.app.config;

import dev.silkroute.collector.sockets.Md5Keys;
import dev.silkroute.collector.sockets.SocketTransport;
import java.nio.file.Path;

/** The file with keys for TCP MD5 signatures, {@code silkroute.bmp-md5-keys}. */
public final class BmpMd5 {
    private static final String KEYS = "silkroute.bmp-md5-keys";

    private BmpMd5() {}

    /**
     * Reads the keys.
     *
     * @return no keys if no file is configured
     * @throws OperatorError if the file is invalid, or the system has no TCP MD5 signatures
     */
    public static Md5Keys of(StationConfig config) {
        if (config.bmpMd5Keys().isEmpty()) {
            return Md5Keys.NONE;
        }
        String obstacle = SocketTransport.md5Obstacle();
        if (obstacle != null) {
            throw new OperatorError(KEYS + ": this system has no TCP MD5 signatures: " + obstacle);
        }
        return read(config.bmpMd5Keys().get());
    }

    /** Reads a file. @throws OperatorError if it is invalid */
    public static Md5Keys read(Path file) {
        try {
            return Md5Keys.parse(SecretFile.lines(KEYS, file));
        } catch (IllegalArgumentException e) {
            throw new OperatorError(KEYS + ": " + file + ", " + e.getMessage(), e);
        }
    }
}
