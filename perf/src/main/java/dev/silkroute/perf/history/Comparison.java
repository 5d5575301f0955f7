package dev.silkroute.perf.history;

import dev.silkroute.perf.postgres.StorageContender;
import dev.silkroute.perf.postgres.StorageContender.Turn;
import dev.silkroute.perf.postgres.TransactionFeed;
import dev.silkroute.perf.report.Line;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** The results of the measured rounds. */
record Comparison(
        TransactionFeed feed,
        String sameRoutes,
        StorageContender known,
        StorageContender fresh,
        StorageContender psql,
        StorageContender psqlWithSets,
        StorageContender jdbc,
        StorageContender jbmp) {
    private static final String ROWS = "rows/s";
    private static final String EVENTS = "events/s";

    List<StorageContender> arms() {
        return List.of(known, psql, fresh, psqlWithSets, jdbc, jbmp);
    }

    List<Line> lines() {
        String sameRows = same(known, psql, jdbc);
        String sameRowsAndSets = same(fresh, psqlWithSets);
        same(known, fresh);
        String sameEvents = sameEvents();
        return List.of(
                speed(
                        "attribute sets known: records read, encoded, COPY, offsets",
                        psql,
                        ROWS,
                        known,
                        0.9,
                        1.0,
                        sameRows),
                speed("the same", jdbc, ROWS, known, 2.2, 4.0, sameRows),
                Line.higher(
                        "every attribute set new: the same and the sets",
                        "psql \\copy of rows and sets",
                        ROWS,
                        fresh.over(psqlWithSets, this::perSecond),
                        null,
                        null,
                        sameRowsAndSets),
                Line.higher(
                        "the same",
                        "psql \\copy of the rows alone",
                        ROWS,
                        fresh.over(psql, this::perSecond),
                        null,
                        null,
                        sameRowsAndSets),
                Line.higher(
                        "every attribute set new, day still open",
                        "jBMP's table and indexes",
                        EVENTS,
                        fresh.over(jbmp, this::perSecond),
                        2.5,
                        5.0,
                        sameEvents),
                Line.higher(
                        "every attribute set new, the closed day's index built in the same time",
                        "jBMP's table and indexes",
                        EVENTS,
                        fresh.over(jbmp, this::allPerSecond, this::perSecond),
                        null,
                        null,
                        sameEvents),
                Line.higher(
                        "attribute sets known, day still open",
                        "jBMP's table and indexes",
                        EVENTS,
                        known.over(jbmp, this::perSecond),
                        null,
                        null,
                        sameEvents),
                bytes("log, every attribute set new, the closed day's index too", fresh, Comparison::wal, 0.4, 0.3),
                bytes("disk, every attribute set new, the closed day's index too", fresh, Turn::grownLater, 0.5, 0.4),
                bytes("log, attribute sets known, the closed day's index too", known, Comparison::wal, null, null),
                bytes("disk, attribute sets known, the closed day's index too", known, Turn::grownLater, null, null));
    }

    private Line speed(
            String measure,
            StorageContender other,
            String unit,
            StorageContender own,
            double must,
            double aim,
            String checked) {
        return Line.higher(
                measure,
                other == psql ? "psql \\copy of the rows" : "JDBC batch, reWriteBatchedInserts",
                unit,
                own.over(other, this::perSecond),
                must,
                aim,
                checked);
    }

    private Line bytes(
            String measure,
            StorageContender own,
            ToDoubleFunction<Turn> value,
            @Nullable Double must,
            @Nullable Double aim) {
        return Line.lower(
                measure, "jBMP's table and indexes", "bytes/event", own.over(jbmp, value), must, aim, sameEvents());
    }

    private double perSecond(Turn turn) {
        return feed.events() / turn.usage().seconds();
    }

    private double allPerSecond(Turn turn) {
        return feed.events() / turn.all().seconds();
    }

    private static double wal(Turn turn) {
        return turn.all().walBytes();
    }

    private static String same(StorageContender... arms) {
        String found = arms[0].turns().getFirst().found();
        for (StorageContender arm : arms) {
            for (Turn turn : arm.turns()) {
                if (!turn.found().equals(found)) {
                    throw new IllegalStateException(
                            arms[0].name() + " stored " + found + ", " + arm.name() + " " + turn.found());
                }
            }
        }
        return "after every turn the same on both sides: rows of bmp.route_event, a digest of every column of every row, sets in bmp.attribute_set and a digest of those: "
                + found;
    }

    private String sameEvents() {
        for (Turn turn : jbmp.turns()) {
            if (!turn.found().equals(sameRoutes)) {
                throw new IllegalStateException("ours has " + sameRoutes + ", jBMP's table " + turn.found());
            }
        }
        return "after every turn: events, and a digest of each one's time, router's time, peer, prefix, action, next hop, AS path, MED and communities, the same in both schemas: "
                + sameRoutes;
    }

    List<Map<String, Object>> information() {
        List<Map<String, Object>> rows = new ArrayList<>();
        for (StorageContender arm : arms()) {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("arm", arm.name());
            row.put("rows/s", Math.round(arm.median(this::perSecond)));
            row.put("server CPU µs/row", micros(arm, turn -> turn.usage().serverCpuSeconds()));
            row.put("client CPU µs/row", micros(arm, turn -> turn.usage().clientCpuSeconds()));
            row.put("log B/row", perEvent(arm, turn -> turn.usage().walBytes()));
            row.put("disk B/row", perEvent(arm, Turn::grown));
            boolean later = arm.turns().getFirst().later() != null;
            row.put("index of a closed day, µs/row", later ? micros(arm, Comparison::laterSeconds) : "");
            row.put(
                    "its log B/row",
                    later ? perEvent(arm, turn -> wal(turn) - turn.usage().walBytes()) : "");
            row.put("its disk B/row", later ? perEvent(arm, turn -> turn.grownLater() - turn.grown()) : "");
            rows.add(row);
        }
        return rows;
    }

    private static double laterSeconds(Turn turn) {
        return Objects.requireNonNull(turn.later()).seconds();
    }

    private double micros(StorageContender arm, ToDoubleFunction<Turn> seconds) {
        return Math.round(arm.median(seconds) / feed.events() * 1e8) / 100.0;
    }

    private double perEvent(StorageContender arm, ToDoubleFunction<Turn> value) {
        return Math.round(arm.median(value) / feed.events() * 10) / 10.0;
    }
}
