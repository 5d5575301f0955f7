package dev.silkroute.perf.live;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.silkroute.perf.endtoend.Dumps;
import dev.silkroute.perf.endtoend.Dumps.Dump;
import dev.silkroute.perf.report.Folders;
import dev.silkroute.perf.report.Line;
import dev.silkroute.perf.report.Scenario;
import dev.silkroute.perf.station.RunningStation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Subscribers of the live stream: whether other programs understand every message, whether each subscriber receives
 * every message for it or a report that it missed it, and what 1,000 of them cost the path from the socket to durable
 * rows.
 */
@Command(
        name = "live",
        description = "1,000 subscribers of the live stream, 100 of which do not read, beside table dumps; and other"
                + " readers of RIS Live on all captures of the tests (requires Cargo).")
public final class LiveScenario extends Scenario {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final double MUST_SHARE = 0.85;
    private static final double AIM_SHARE = 0.95;

    /** As of latencies during a flood, see {@code hostile}. */
    private static final double WORST_RATIO = 3;

    private static final long POLL_MILLIS = 500;
    private static final long QUIET_NANOS = 5_000_000_000L;
    private static final String LONG_QUEUE = "256M";
    private static final String MATCHED = "silkroute_live_messages_matched_total";

    @Option(names = "--subscribers", defaultValue = "1000", description = "Subscribers: ${DEFAULT-VALUE}.")
    private int subscribers;

    @Option(names = "--stalled", defaultValue = "100", description = "of them that do not read: ${DEFAULT-VALUE}.")
    private int stalled;

    @Option(names = "--routes", defaultValue = "200000", description = "Routes of a dump: ${DEFAULT-VALUE}.")
    private long routes;

    @Option(names = "--rounds", defaultValue = "3", description = "Dumps with and without them: ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(names = "--limit", defaultValue = "15", description = "Minutes that a dump may take: ${DEFAULT-VALUE}.")
    private long limitMinutes;

    private final List<Map<String, Object>> rows = new ArrayList<>();

    @Override
    public Integer call() throws Exception {
        Path folder = emptyFolder();
        List<Line> lines = new ArrayList<>();
        // One thread for all subscribers: by default each has its own, and hundreds of them at a time leave no core to
        // the station
        try (ExecutorService thread = Executors.newSingleThreadExecutor();
                HttpClient client = HttpClient.newBuilder().executor(thread).build()) {
            // The queue holds what one subscriber receives of all captures, as they are replayed at the maximum speed
            Map<String, String> queue = Map.of("SILKROUTE_LIVE_QUEUE_BYTES", LONG_QUEUE);
            try (RunningStation station = RunningStation.start(folder.resolve("captures"), queue)) {
                lines.add(readers(station, client, folder));
            }
            Map<String, String> most = Map.of("SILKROUTE_LIVE_MAX_SUBSCRIBERS", Integer.toString(subscribers));
            try (RunningStation station = RunningStation.start(folder.resolve("dumps"), most)) {
                lines.addAll(cost(station, client, folder));
            }
            client.shutdownNow();
        }
        Folders.delete(folder);
        publish(
                "%,d subscribers, %,d of which do not read, dumps of %,d routes"
                        .formatted(subscribers, stalled, routes),
                lines,
                rows);
        return 0;
    }

    /** Replays the captures of the tests to a subscriber, whose messages other readers of RIS Live read. */
    private Line readers(RunningStation station, HttpClient client, Path folder)
            throws IOException, InterruptedException {
        RisLiveReader reader = new RisLiveReader(HOME, folder.resolve("rejected.log"));
        ConcurrentLinkedQueue<String> messages = new ConcurrentLinkedQueue<>();
        double before = matched(station);
        long published;
        try (Subscriber subscriber = new Subscriber(client, station.httpUrl(), "", false, messages::add)) {
            for (Path capture : captures()) {
                replay(station, capture);
            }
            awaitDelivery(station, List.of(subscriber), before);
            published = Math.round(matched(station) - before);
            if (subscriber.missed() > 0) {
                throw new IOException("the only subscriber missed " + subscriber.missed() + " messages");
            }
        }
        long elements = 0;
        for (String message : messages) {
            reader.read(message);
            elements += BgpAlerterForm.elements(json(message));
        }
        RisLiveReader.Counts counts = reader.end();
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("what", "captures replayed to a subscriber");
        row.put("messages published", published);
        row.put("received", messages.size());
        row.put("reported as missed", 0);
        row.put(
                "",
                ("bgpkit-parser: %,d prefixes by the fields, %,d by raw, %,d messages rejected; in BGPalerter's form:"
                                + " %,d prefixes")
                        .formatted(counts.byFields(), counts.byRaw(), counts.rejected(), elements));
        rows.add(row);
        boolean same = counts.messages() == published && counts.byFields() == elements;
        return Line.higher(
                "messages of all captures that bgpkit-parser reads",
                "messages published",
                "share",
                new double[] {same ? (double) (counts.messages() - counts.rejected()) / published : 0},
                1.0,
                1.0,
                "both readers found the same number of prefixes");
    }

    private static JsonNode json(String message) {
        try {
            return JSON.readTree(message);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Path> captures() throws IOException {
        try (var files = Files.list(HOME.resolveSibling("src/test/resources/captures"))) {
            return files.filter(file -> file.toString().endsWith(".bmp.gz"))
                    .sorted()
                    .toList();
        }
    }

    private static void replay(RunningStation station, Path capture) throws IOException, InterruptedException {
        Process replay = RunningStation.command(
                        "replay", capture.toString(), "--to", station.bmpAddress(), "--speed", "max")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (replay.waitFor() != 0) {
            throw new IOException("the replay of " + capture.getFileName() + " failed");
        }
    }

    /** Dumps of routers, in turns without and with subscribers. */
    private List<Line> cost(RunningStation station, HttpClient client, Path folder) throws Exception {
        Dumps dumps = new Dumps(station, folder, limitMinutes);
        dumps.run(routes); // later dumps change nothing in the database, so that the spine is at its fastest
        withSubscribers(station, client, dumps); // both sides are measured with compiled code
        double[] shares = new double[rounds];
        double[] rib = new double[rounds];
        double[] row = new double[rounds];
        long published = 0;
        long accounted = 0;
        for (int round = 0; round < rounds; round++) {
            Dump without = dumps.run(routes);
            Delivered with = withSubscribers(station, client, dumps);
            published += with.published;
            accounted += received(with.all) + missed(with.all);
            shares[round] = without.rowSeconds() / with.dump.rowSeconds();
            rib[round] = with.dump.ribP99() / without.ribP99();
            row[round] = with.dump.rowP99() / without.rowP99();
            row("without subscribers, round " + (round + 1), 0, List.of(), without);
            row("with subscribers, round " + (round + 1), with.published, with.all, with.dump);
        }
        String checked = "the routes of each dump are in the RIB and in both tables";
        return List.of(
                Line.higher(
                        "messages received and reported as missed, of all subscribers",
                        "messages published for them",
                        "messages",
                        new double[] {(double) accounted / published},
                        1.0,
                        1.0,
                        "counted by the subscribers and by the station"),
                Line.higher(
                        "table dump beside the subscribers, TCP to durable rows",
                        "the same without",
                        "routes/s",
                        shares,
                        MUST_SHARE,
                        AIM_SHARE,
                        checked),
                Line.lower(
                        "p99 from the socket to the RIB, beside the subscribers and a dump",
                        "the same without",
                        "s",
                        rib,
                        WORST_RATIO,
                        checked),
                Line.lower(
                        "p99 from the socket to the row, beside the subscribers and a dump",
                        "the same without",
                        "s",
                        row,
                        WORST_RATIO,
                        checked));
    }

    /** A dump beside subscribers, which have received or missed everything since, and are closed. */
    private record Delivered(Dump dump, List<Subscriber> all, long published) {}

    private Delivered withSubscribers(RunningStation station, HttpClient client, Dumps dumps) throws Exception {
        double before = matched(station);
        List<Subscriber> all = subscribe(station, client);
        try {
            Dump dump = dumps.run(routes);
            all.forEach(Subscriber::resume);
            awaitDelivery(station, all, before);
            return new Delivered(dump, all, Math.round(matched(station) - before));
        } finally {
            all.forEach(Subscriber::close);
        }
    }

    /** Subscribers that read have a filter each; those that do not read have none. */
    private List<Subscriber> subscribe(RunningStation station, HttpClient client) throws InterruptedException {
        List<Subscriber> all = new ArrayList<>();
        for (int i = 0; i < subscribers; i++) {
            boolean stalls = i < stalled;
            String filter = stalls ? "" : "\"prefix\":\"%d.%d.0.0/16\"".formatted(1 + i % 223, i / 223 * 16);
            all.add(new Subscriber(client, station.httpUrl(), filter, stalls, message -> {}));
        }
        return all;
    }

    private void row(String what, long published, List<Subscriber> all, Dump dump) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("what", what);
        row.put("messages published", published);
        row.put("received", received(all));
        row.put("reported as missed", missed(all));
        row.put(
                "",
                "%,d routes/s durable; p99 of another router's routes to the RIB %.0f ms, to the row %.0f ms"
                        .formatted(Math.round(routes / dump.rowSeconds()), 1e3 * dump.ribP99(), 1e3 * dump.rowP99()));
        rows.add(row);
    }

    private static long received(List<Subscriber> all) {
        return all.stream().mapToLong(Subscriber::received).sum();
    }

    private static long missed(List<Subscriber> all) {
        return all.stream().mapToLong(Subscriber::missed).sum();
    }

    private static double matched(RunningStation station) throws IOException, InterruptedException {
        return RunningStation.sum(station.metrics(), MATCHED, "");
    }

    /** Waits until all is delivered, or until nothing more is. */
    private static void awaitDelivery(RunningStation station, List<Subscriber> all, double before)
            throws IOException, InterruptedException {
        long delivered = -1;
        double published = -1;
        long changed = System.nanoTime();
        while (System.nanoTime() - changed < QUIET_NANOS) {
            Thread.sleep(POLL_MILLIS);
            double now = matched(station) - before;
            long sum = received(all) + missed(all);
            if (now != published || sum != delivered) {
                changed = System.nanoTime();
            }
            published = now;
            delivered = sum;
        }
    }
}
