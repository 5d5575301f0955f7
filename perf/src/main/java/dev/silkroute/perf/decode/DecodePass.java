package dev.silkroute.perf.decode;

import dev.silkroute.bmp.FrameScanner;
import dev.silkroute.session.BmpSession;
import dev.silkroute.session.DecodedBatch;
import dev.silkroute.session.LaneName;
import dev.silkroute.session.SessionConfig;
import dev.silkroute.session.identity.RouterIdentity;
import java.net.InetAddress;
import java.util.List;

/** Frames and decodes sessions as the collector does, and passes the records to a reader. */
final class DecodePass {
    private static final SessionConfig CONFIG = new SessionConfig("perf", 20_000);
    private static final long RECEIVED_AT = 1_700_000_000_000_000L;

    private final RecordReader reader;
    private final FrameScanner scanner = new FrameScanner();
    private long messages;
    private long errors;

    DecodePass(RecordReader reader) {
        this.reader = reader;
    }

    /** One session from its beginning to its end. */
    void session(List<byte[]> batches) {
        BmpSession session =
                new BmpSession(CONFIG, 1, InetAddress.getLoopbackAddress(), RouterIdentity.configured("perf"));
        long message = 0;
        for (byte[] batch : batches) {
            scanner.scan(batch, 0, batch.length);
            DecodedBatch decoded = session.decode(batch, message, RECEIVED_AT, null);
            message += scanner.messages();
            errors += decoded.records(LaneName.QUARANTINE).size();
            reader.read(decoded.routes());
        }
        messages += message;
    }

    long messages() {
        return messages;
    }

    /** Messages put into quarantine. */
    long errors() {
        return errors;
    }
}
