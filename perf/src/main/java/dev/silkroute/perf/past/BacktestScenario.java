package dev.silkroute.perf.past;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.silkroute.alert.AlertRules;
import dev.silkroute.alert.AlertSettings;
import dev.silkroute.alert.RulesFile;
import dev.silkroute.alert.record.AlertRecord;
import dev.silkroute.app.backtest.Backtest;
import dev.silkroute.perf.report.Line;
import dev.silkroute.perf.report.Scenario;
import dev.silkroute.rpki.AspaTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** An hour of the history, by the code of {@code silkroute alerts test}: how long, and are the alerts right. */
@Command(
        name = "backtest",
        description = "Evaluates a file of alert rules on an hour of the history, and compares the alerts with the"
                + " generator's events.")
public final class BacktestScenario extends Scenario {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final double LIMIT_SECONDS = 60;
    /** The defaults of a station. */
    private static final AlertSettings SETTINGS = new AlertSettings(
            1, 2, micros(Duration.ofHours(2)), micros(Duration.ofHours(24)), 200_000, 1_000, 5_000_000);

    private static final ObjectMapper JSON = new ObjectMapper();

    @Option(names = "--routes", defaultValue = "1000000", description = "at the beginning (${DEFAULT-VALUE})")
    private int routes;

    @Option(names = "--events", defaultValue = "1000000", description = "in the hour (${DEFAULT-VALUE})")
    private int events;

    @Option(names = "--prefixes", defaultValue = "1000", description = "in the list (${DEFAULT-VALUE})")
    private int prefixes;

    @Option(names = "--rounds", defaultValue = "3", description = "how often (${DEFAULT-VALUE})")
    private int rounds;

    private final Instant start =
            Instant.now().truncatedTo(ChronoUnit.DAYS).minus(1, ChronoUnit.DAYS).plus(1, ChronoUnit.HOURS);
    private final Instant from = start.plus(HOUR);

    private static long micros(Duration duration) {
        return duration.toNanos() / 1000;
    }

    @Override
    public Integer call() throws Exception {
        Path work = folder();
        AlertRules rules = RulesFile.read(Files.writeString(work.resolve("prefixes.yml"), rules()));
        try (PastDatabase database = new PastDatabase(work.resolve("data"))) {
            List<String> expected = load(database);
            double[] seconds = new double[rounds];
            for (int round = 0; round < rounds; round++) {
                List<String> changes = new ArrayList<>();
                long begin = System.nanoTime();
                long read;
                try (Connection connection = database.connect()) {
                    read = new Backtest(rules, SETTINGS, AspaTable.EMPTY)
                            .run(connection, from, from.plus(HOUR), record -> changes.add(change(record)));
                }
                seconds[round] = (System.nanoTime() - begin) / 1e9;
                System.out.printf(
                        Locale.ROOT,
                        "%,d routes and events, %,d changes of alerts in %.1f s%n",
                        read,
                        changes.size(),
                        seconds[round]);
                if (!changes.equals(expected)) {
                    throw new IllegalStateException("the " + changes.size() + " changes of alerts are not the "
                            + expected.size() + " that follow from the events");
                }
            }
            publish(
                    "the server's own settings",
                    List.of(Line.lower(
                            "an hour that begins with %,d routes and has %,d events".formatted(routes, events),
                            "60 seconds",
                            "seconds",
                            Arrays.stream(seconds)
                                    .map(each -> each / LIMIT_SECONDS)
                                    .toArray(),
                            1.0,
                            0.5,
                            "each of the " + expected.size() + " changes of alerts, in their order, against the"
                                    + " generator's events")),
                    List.of());
        }
        return 0;
    }

    /** Each route has at first the origin AS that the list expects; losses are fewer than the threshold. */
    private String rules() {
        StringBuilder text = new StringBuilder();
        for (int route = 0; route < prefixes; route++) {
            text.append("%s: {description: p, asn: %d, ignoreMorespecifics: false}%n"
                    .formatted(PastTable.prefix(route), route % PastTable.SETS));
        }
        return text.toString();
    }

    /** Returns the changes of alerts that the events cause. */
    private List<String> load(PastDatabase database) throws SQLException {
        PastTable past = new PastTable(routes);
        database.prepare(start, from.plus(HOUR));
        // ORIGIN, AS_PATH and NEXT_HOP in the form of attribute sets, with lengths of two bytes
        database.execute(
                "UPDATE bmp.attribute_set SET raw = '\\x5001000100'::bytea"
                        + " || '\\x5002000a0202fa56ea0b'::bytea || int4send(origin_asn::integer) || '\\x50030004c0000201'::bytea");
        database.dump(past, routes, start);
        List<String> changes = new ArrayList<>();
        int[] known = past.state();
        try (PastDatabase.Rows rows = database.new Rows(routes)) {
            for (int i = 0; i < events; i++) {
                Instant at = from.plusNanos(1_000 + HOUR.minusSeconds(1).toNanos() / events * i)
                        .truncatedTo(ChronoUnit.MICROS);
                int route = past.next();
                int set = past.set(route);
                rows.add(at, route, set);
                if (route < prefixes) {
                    change("closed", route, known[route], set, changes);
                    change("opened", route, set, known[route], changes);
                    known[route] = set;
                }
            }
        }
        database.execute("ANALYZE bmp.route_event, bmp.attribute_set");
        return changes;
    }

    /**
     * An alert is about a prefix with one unexpected origin: it has opened with that AS, and closes with another one.
     */
    private static void change(String event, int route, int origin, int other, List<String> changes) {
        if (origin != PastTable.WITHDRAWN && origin != route % PastTable.SETS && origin != other) {
            changes.add(event + " " + PastTable.prefix(route) + " origin-change AS" + origin);
        }
    }

    private static String change(AlertRecord record) {
        try {
            return JSON.readTree(record.json()).path("event").asText() + " " + record.key();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
