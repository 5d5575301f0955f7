package dev.silkroute.perf.endtoend;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.silkroute.perf.station.RunningStation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs {@code silkroute load} against a station, in a process of its own, until everything is stored. */
final class StationLoad {
    /** The seed of the dumps, so that they have the same routes. */
    static final int DUMP_SEED = 1;

    private static final int CHANGES_SEED = 7;
    /** Changes per second that no station stores, so that it works at its maximum rate. */
    private static final int MOST_CHANGES = 50_000;

    private static final int MOST_SECONDS = 8;
    /** Most announcements return to attributes that the route had before. */
    private static final String PROFILE = "alternate";
    /** Longest time that a load takes to end once everything is stored, or after SIGTERM. */
    private static final long END_SECONDS = 30;

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
        try (HeldDump dump = holdDump(name, routes, peers, options)) {
            return dump.phase();
        }
    }

    /** Sends the tables of a router, waits until everything is stored, and keeps the session after that. */
    HeldDump holdDump(String name, long routes, int peers, String... options) throws IOException, InterruptedException {
        Progress progress = new Progress(station, probed);
        Process load = hold(routes, peers, options);
        try {
            progress.awaitEnd(deadline());
            return new HeldDump(load, progress.phase(name, routes));
        } catch (IOException | InterruptedException e) {
            end(load);
            throw e;
        }
    }

    /** Sends the tables of a router, and keeps the session until the process is ended. */
    Process hold(long routes, int peers, String... options) throws IOException {
        return hold(Long.toString(routes / peers), peers, options);
    }

    /**
     * The same.
     *
     * @param prefixes numbers of prefixes of each peer, as {@code silkroute load} takes them
     */
    Process hold(String prefixes, int peers, String... options) throws IOException {
        List<String> all = new ArrayList<>(List.of(options));
        all.add("--hold");
        return start(DUMP_SEED, prefixes, peers, all);
    }

    /** Ends a load that keeps its session. Its report can be read afterwards. */
    static void end(Process load) throws InterruptedException {
        load.toHandle().destroy(); // unlike Process.destroy, this leaves its output open
        if (!load.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
            load.destroyForcibly();
        }
    }

    /** A router that has sent its tables and keeps its session until this is closed. */
    record HeldDump(Process load, Phase phase) implements AutoCloseable {
        @Override
        public void close() throws InterruptedException {
            end(load);
        }
    }

    /**
     * Sends the table of another router with one peer, and then changes of it.
     *
     * @param perSecond changes; fewer are sent if the station reads more slowly
     */
    Phase changes(String name, long prefixes, int perSecond, int seconds) throws IOException, InterruptedException {
        Progress progress = sendChanges(prefixes, perSecond, seconds).progress();
        return progress.phase(name, progress.events());
    }

    /** The same with changes faster than they are stored. */
    Phase mostChanges(String name, long prefixes) throws IOException, InterruptedException {
        return mostChanges(name, prefixes, PROFILE);
    }

    /** The same with another profile of changes. */
    Phase mostChanges(String name, long prefixes, String profile) throws IOException, InterruptedException {
        Progress progress =
                sendChanges(prefixes, MOST_CHANGES, MOST_SECONDS, profile).progress();
        return progress.phase(name, progress.events());
    }

    /** Returns half of the changes per second that were stored in a phase of {@link #mostChanges}. */
    static int halfRate(Phase most) {
        return (int) (MOST_CHANGES * MOST_SECONDS / most.rowSeconds() / 2);
    }

    /** Sends the table and changes, and returns the number of events that were sent. */
    Sent sendChanges(long prefixes, int perSecond, int seconds) throws IOException, InterruptedException {
        return sendChanges(prefixes, perSecond, seconds, PROFILE);
    }

    private Sent sendChanges(long prefixes, int perSecond, int seconds, String profile)
            throws IOException, InterruptedException {
        return toEnd(
                CHANGES_SEED,
                prefixes,
                "--churn",
                Integer.toString(perSecond),
                "--churn-profile",
                profile,
                "--duration",
                Integer.toString(seconds));
    }

    /**
     * The events that a load has sent, by its own report.
     *
     * @param events announcements and withdrawals
     * @param seconds that sending took
     */
    record Sent(long events, double seconds, Progress progress) {}

    private Sent toEnd(int seed, long prefixes, String... options) throws IOException, InterruptedException {
        Progress progress = new Progress(station, probed);
        Process load = start(seed, Long.toString(prefixes), 1, List.of(options));
        try {
            progress.awaitEnd(deadline());
            if (!load.waitFor(END_SECONDS, TimeUnit.SECONDS) || load.exitValue() != 0) {
                throw new IOException("silkroute load failed");
            }
            JsonNode report = report(load);
            return new Sent(
                    report.path("announcements").asLong()
                            + report.path("withdrawals").asLong(),
                    report.path("seconds").asDouble(),
                    progress);
        } finally {
            load.destroy();
        }
    }

    /** Returns the report of a load that has sent everything and has ended. */
    static JsonNode report(Process load) throws IOException {
        return new ObjectMapper().readTree(load.getInputStream());
    }

    private long deadline() {
        return System.nanoTime() + TimeUnit.MINUTES.toNanos(limitMinutes);
    }

    private Process start(int seed, String prefixes, int peers, List<String> options) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(
                "load",
                "--to",
                station.bmpAddress(),
                "--seed",
                Integer.toString(seed),
                "--peers",
                Integer.toString(peers),
                "--prefixes",
                prefixes));
        arguments.addAll(List.of("--format", "json"));
        arguments.addAll(options);
        return RunningStation.command(arguments.toArray(String[]::new))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }
}
