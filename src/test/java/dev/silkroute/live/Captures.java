package dev.silkroute.live;

import dev.silkroute.route.RouteBatch;
import dev.silkroute.session.BmpSession;
import dev.silkroute.session.DecodedBatch;
import dev.silkroute.session.LaneName;
import dev.silkroute.session.SessionConfig;
import dev.silkroute.session.SessionRecord;
import dev.silkroute.session.identity.RouterIdentifier;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.util.List;
import java.util.Objects;
import java.util.zip.GZIPInputStream;

/** The sessions of real routers as route batches. */
public final class Captures {
    static final List<String> NAMES =
            List.of("gobgp-all", "gobgp-mirror", "frr-all", "frr-noap", "frr-labeled", "frr-malformed", "bird-noap");

    private Captures() {}

    public static RouteBatch batch(String capture) {
        return RouteBatch.read(routes(capture));
    }

    public static byte[] routes(String capture) {
        return decoded(capture).routes();
    }

    /** Returns the records of {@code bmp.peers}. */
    static List<byte[]> peerRecords(String capture) {
        return decoded(capture).records(LaneName.PEERS).stream()
                .map(SessionRecord::json)
                .toList();
    }

    private static DecodedBatch decoded(String capture) {
        try (InputStream in = new GZIPInputStream(
                Objects.requireNonNull(Captures.class.getResourceAsStream("/captures/" + capture + ".bmp.gz")))) {
            byte[] stream = in.readAllBytes();
            InetAddress address = InetAddress.ofLiteral("192.0.2.1");
            BmpSession session = new BmpSession(
                    new SessionConfig("c1", 1000),
                    1_795_248_000_000_001L,
                    address,
                    RouterIdentifier.identify(address, stream));
            return session.decode(stream, 0, 1_795_248_000_000_002L, "connection closed");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
