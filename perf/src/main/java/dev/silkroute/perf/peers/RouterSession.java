package dev.silkroute.perf.peers;

import dev.silkroute.bgp.RibView;
import dev.silkroute.load.Churn;
import dev.silkroute.load.LoadPlan;
import dev.silkroute.load.LoadProfile;
import dev.silkroute.load.LoadRouter;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Family;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * The BMP session of a router in a file: Initiation, Peer Ups, tables of IPv4 unicast routes with their End-of-RIBs,
 * and statistics, as {@code silkroute load} sends it with the same seed.
 *
 * @param routes announced routes, each of them once
 */
record RouterSession(Path file, long messages, long routes, long bytes) {
    private static final long SEED = 1;
    private static final int CHUNK = 1 << 16;

    /** @param peers that share the routes */
    static RouterSession write(Path file, int routes, int peers) throws IOException {
        LoadRouter router = new LoadPlan(new LoadProfile(
                        SEED,
                        1,
                        peers,
                        List.of(routes / peers),
                        List.of(Family.IPV4_UNICAST),
                        Set.of(RibView.ADJ_RIB_IN_PRE_POLICY),
                        0,
                        Churn.STEADY,
                        0,
                        false,
                        0))
                .router(0);
        ByteSink chunk = new ByteSink(2 * CHUNK);
        try (OutputStream out = Files.newOutputStream(file)) {
            while (router.next(chunk) > 0) {
                if (chunk.position() >= CHUNK) {
                    out.write(chunk.array(), 0, chunk.position());
                    chunk.reset();
                }
            }
            out.write(chunk.array(), 0, chunk.position());
        }
        return new RouterSession(file, router.messages(), router.announced(), Files.size(file));
    }
}
