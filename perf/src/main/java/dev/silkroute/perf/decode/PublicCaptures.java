package dev.silkroute.perf.decode;

import dev.silkroute.bmp.BmpMessages;
import dev.silkroute.bmp.FrameScanner;
import dev.silkroute.session.BmpSession;
import dev.silkroute.session.DecodedBatch;
import dev.silkroute.session.LaneName;
import dev.silkroute.session.SessionConfig;
import dev.silkroute.session.identity.RouterIdentity;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPInputStream;

/** Counts how many messages of other projects' captures are decoded: framed, and not put into quarantine. */
final class PublicCaptures {
    private static final SessionConfig CONFIG = new SessionConfig("perf", 20_000);

    private long messages;
    private long decoded;

    /** One session, {@code .bmp.gz}. */
    void add(Path file) throws IOException {
        byte[] bytes;
        try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
            bytes = in.readAllBytes();
        }
        int all = 0;
        for (int at = 0; at < bytes.length; at += BmpMessages.length(bytes, at)) {
            all++;
        }
        messages += all;
        FrameScanner scanner = new FrameScanner();
        scanner.scan(bytes, 0, bytes.length);
        if (scanner.end() < bytes.length) {
            System.err.println(file.getFileName() + ": " + scanner.fault() + " at " + scanner.end());
        }
        BmpSession session =
                new BmpSession(CONFIG, 1, InetAddress.getLoopbackAddress(), RouterIdentity.configured("perf"));
        DecodedBatch batch = session.decode(Arrays.copyOf(bytes, scanner.end()), 0, 0, null);
        batch.records(LaneName.QUARANTINE)
                .forEach(record -> System.err.println(
                        file.getFileName() + ": " + new String(record.json(), StandardCharsets.UTF_8)));
        decoded += scanner.messages() - batch.records(LaneName.QUARANTINE).size();
    }

    static PublicCaptures of(List<Path> files) throws IOException {
        PublicCaptures captures = new PublicCaptures();
        for (Path file : files) {
            captures.add(file);
        }
        return captures;
    }

    long messages() {
        return messages;
    }

    long decoded() {
        return decoded;
    }
}
