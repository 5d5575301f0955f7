package dev.silkroute.perf.decode;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Builds and starts the decoders of other projects, whose harnesses are in {@code perf/contenders}. Reports the
 * decoders that cannot be built.
 */
final class Opponents {
    static final String GOBGP = "GoBGP";
    static final String NETGAUZE = "NetGauze";

    private final Builds builds;

    /** @param home the perf folder */
    Opponents(Path home) throws IOException {
        builds = new Builds(home);
    }

    /** Starts each decoder once for each depth; they support {@code ROUTES} and {@code FIELDS}. */
    List<Contender> start(List<Stream> streams, Depth... depths) throws IOException, InterruptedException {
        List<Contender> started = new ArrayList<>();
        Path go = builds.goBgp();
        if (builds.build(GOBGP, "gobgp", Builds.go(go))) {
            start(GOBGP, go, streams, depths, started);
        }
        Path cargo = builds.program("release/decode-netgauze");
        if (builds.build(
                NETGAUZE,
                "netgauze",
                List.of(
                        "cargo",
                        "build",
                        "--release",
                        "--target-dir",
                        builds.target().toString()))) {
            start(NETGAUZE, cargo, streams, depths, started);
        }
        return started;
    }

    private static void start(String name, Path program, List<Stream> streams, Depth[] depths, List<Contender> started)
            throws IOException {
        for (Depth depth : depths) {
            String command = depth == Depth.FIELDS ? "read" : "decode";
            started.add(Contender.start(name + depth.suffix(), command, List.of(program.toString()), streams));
        }
    }

    /** Returns the build failure of each missing contender. */
    Map<String, String> missing() {
        return builds.missing();
    }
}
