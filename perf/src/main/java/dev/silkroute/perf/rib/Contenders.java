package dev.silkroute.perf.rib;

import dev.silkroute.perf.decode.Builds;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Builds and starts the contenders, and reports those that cannot be built. */
final class Contenders {
    static final String OWN = "silkroute";
    static final String PLAIN = "plain Java";
    static final String BART = "bart";
    static final String ROTONDA = "rotonda-store";

    private final Builds builds;
    private final Map<String, Contender> started = new LinkedHashMap<>();

    /** @param home the perf folder */
    Contenders(Path home) throws IOException {
        builds = new Builds(home);
    }

    /** The directory of the Go module that depends on bart. */
    Path bart() {
        return builds.source("bart");
    }

    void start(Path workload) throws IOException, InterruptedException {
        start(OWN, java(StoreProcess.class, List.of(), "own", workload.toString()));
        start(PLAIN, java(StoreProcess.class, List.of(), "plain", workload.toString()));
        Path go = builds.program("rib-bart");
        build(BART, "bart", go, workload, "env", "GOAMD64=v3", "go", "build", "-o", go.toString(), ".");
        Path rust = builds.program("release/rib-rotonda");
        build(
                ROTONDA,
                "rotonda",
                rust,
                workload,
                "env",
                "RUSTFLAGS=-Ctarget-cpu=native",
                "cargo",
                "build",
                "--release",
                "--target-dir",
                builds.target().toString());
    }

    /** The command of a JVM with huge pages, as the station has: they make both RIBs faster. */
    static List<String> java(Class<?> main, List<String> options, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xms3g",
                "-Xmx3g",
                "-XX:G1HeapRegionSize=4m",
                "-XX:+UseTransparentHugePages"));
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of(arguments));
        return command;
    }

    private void build(String name, String folder, Path program, Path workload, String... command)
            throws IOException, InterruptedException {
        if (builds.build(name, folder, List.of(command))) {
            start(name, List.of(program.toString(), workload.toString()));
        }
    }

    private void start(String name, List<String> command) throws IOException {
        started.put(name, Contender.start(name, command));
    }

    /** Returns the contenders that were built, rotated by the round. */
    List<Contender> turn(int round, List<String> names) {
        List<Contender> present =
                names.stream().filter(started::containsKey).map(started::get).toList();
        List<Contender> turned = new ArrayList<>();
        for (int i = 0; i < present.size(); i++) {
            turned.add(present.get(Math.floorMod(round + i, present.size())));
        }
        return turned;
    }

    Optional<Contender> get(String name) {
        return Optional.ofNullable(started.get(name));
    }

    /** Returns the build failure of each missing contender. */
    Map<String, String> missing() {
        return builds.missing();
    }

    void close() throws IOException, InterruptedException {
        for (Contender contender : started.values()) {
            contender.close();
        }
    }
}
