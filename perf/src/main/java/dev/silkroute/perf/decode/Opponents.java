package dev.silkroute.perf.decode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Builds and starts the decoders of other projects, whose harnesses are in {@code perf/contenders}. Reports the
 * decoders that cannot be built.
 */
final class Opponents {
    static final String GOBGP = "GoBGP";
    static final String NETGAUZE = "NetGauze";

    private final Path sources;
    private final Path target;
    private final Map<String, String> missing = new LinkedHashMap<>();

    /** @param home the perf folder */
    Opponents(Path home) throws IOException {
        sources = home.toAbsolutePath().resolve("contenders");
        target = Files.createDirectories(home.toAbsolutePath().resolve("target/contenders"));
    }

    /** Starts each decoder once for each depth; they support {@code ROUTES} and {@code FIELDS}. */
    List<Contender> start(List<Stream> streams, Depth... depths) throws IOException, InterruptedException {
        List<Contender> started = new ArrayList<>();
        Path go = target.resolve("decode-gobgp");
        if (built(GOBGP, "gobgp", List.of("go", "build", "-o", go.toString(), "."))) {
            start(GOBGP, go, streams, depths, started);
        }
        Path cargo = target.resolve("release/decode-netgauze");
        if (built(NETGAUZE, "netgauze", List.of("cargo", "build", "--release", "--target-dir", target.toString()))) {
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

    private boolean built(String name, String folder, List<String> build) throws IOException, InterruptedException {
        System.err.println("building " + name);
        Optional<String> failure =
                Tools.run(sources.resolve(folder), target.resolve("build-" + folder + ".log"), build);
        if (failure.isPresent()) {
            missing.put(name, failure.get());
            System.err.println(name + ": " + failure.get());
        }
        return failure.isEmpty();
    }

    /** Returns the build failure of each missing contender. */
    Map<String, String> missing() {
        return missing;
    }
}
