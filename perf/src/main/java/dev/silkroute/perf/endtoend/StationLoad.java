package dev.silkroute.perf.endtoend;

import dev.silkroute.perf.station.RunningStation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs {@code silkroute load} against a station, in a process of its own, until everything is stored. */
final class StationLoad {
    /** The seed of the dumps, so that they have the same routes. */
    private static final int DUMP_SEED = 1;

    private static final int CHANGES_SEED = 7;

    private final RunningStation station;
    private final long limitMinutes;
    private final boolean probed;

    /** @param limitMinutes that one load may take */
    StationLoad(RunningStation station, long limitMinutes) {
        this(station, limitMinutes, false);
    }

    private StationLoad(RunningStation station, long limitMinutes, boolean probed) {
        this.station = station;
        this.limitMinutes = limitMinutes;
        this.probed = probed;
    }

    /** Returns the same for loads beside a {@link Probe}, whose few routes do not count. */
    StationLoad besideProbe() {
        return new StationLoad(station, limitMinutes, true);
    }

    /** Sends routes and withdraws them, so that the code is compiled. */
    void warmUp(long routes) throws IOException, InterruptedException {
        toEnd(99, routes, "--down");
    }

    /** Sends the tables of a router, and keeps the session until everything is stored. */
    Phase dump(String name, long routes, int peers, String... options) throws IOException, InterruptedException {
        Progress progress = new Progress(station, probed);
        List<String> all = new ArrayList<>(List.of(options));
        all.add("--hold");
        Process load = start(DUMP_SEED, routes / peers, peers, all);
        try {
            progress.awaitEnd(deadline());
            return progress.phase(name, routes);
        } finally {
            load.destroy();
            load.waitFor();
        }
    }

    /**
     * Sends the table of another router with one peer, and then changes of it.
     *
     * @param perSecond changes; fewer are sent if the station reads more slowly
     */
    Phase changes(String name, long prefixes, int perSecond, int seconds) throws IOException, InterruptedException {
        Progress progress = toEnd(
                CHANGES_SEED,
                prefixes,
                "--churn",
                Integer.toString(perSecond),
                "--duration",
                Integer.toString(seconds));
        return progress.phase(name, progress.events());
    }

    private Progress toEnd(int seed, long prefixes, String... options) throws IOException, InterruptedException {
        Progress progress = new Progress(station, probed);
        Process load = start(seed, prefixes, 1, List.of(options));
        try {
            progress.awaitEnd(deadline());
            if (load.waitFor() != 0) {
                throw new IOException("silkroute load failed");
            }
        } finally {
            load.destroy();
        }
        return progress;
    }

    private long deadline() {
        return System.nanoTime() + TimeUnit.MINUTES.toNanos(limitMinutes);
    }

    private Process start(int seed, long prefixes, int peers, List<String> options) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(
                "load",
                "--to",
                station.bmpAddress(),
                "--seed",
                Integer.toString(seed),
                "--peers",
                Integer.toString(peers),
                "--prefixes",
                Long.toString(prefixes)));
        arguments.addAll(options);
        return RunningStation.command(arguments.toArray(String[]::new))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }
}
