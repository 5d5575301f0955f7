package dev.silkroute.perf.state;

import dev.silkroute.perf.postgres.StorageContender;
import dev.silkroute.perf.postgres.StorageContender.Turn;
import dev.silkroute.perf.postgres.TransactionFeed;
import dev.silkroute.perf.report.Line;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The results of the measured rounds. */
record Comparison(
        StorageContender own,
        StorageContender setsNew,
        StorageContender jbmp,
        StorageContender ownAgain,
        StorageContender upsertAgain) {
    List<StorageContender> arms() {
        return List.of(own, setsNew, jbmp, ownAgain, upsertAgain);
    }

    List<Line> lines() {
        String changed = same(own, jbmp, "after every turn the same state in both schemas");
        String unchanged =
                same(ownAgain, upsertAgain, "after every turn the same state on both sides, none of ours stale");
        return List.of(
                Line.higher(
                        "changes, attribute sets known",
                        "jBMP's statement, partitions and indexes",
                        "events/s",
                        own.over(jbmp, Comparison::speed),
                        2.5,
                        4.0,
                        changed),
                Line.lower(
                        "the same",
                        "jBMP's statement, partitions and indexes",
                        "log bytes",
                        own.over(jbmp, Comparison::log),
                        changed),
                Line.lower(
                        "the same",
                        "jBMP's statement, partitions and indexes",
                        "CPU seconds, server and client",
                        own.over(jbmp, Comparison::cpu),
                        changed),
                Line.higher(
                        "changes, nine of ten with an attribute set that is new and written too",
                        "jBMP's statement, partitions and indexes",
                        "events/s",
                        setsNew.over(jbmp, Comparison::speed),
                        null,
                        null,
                        same(setsNew, jbmp, "after every turn the same state in both schemas")),
                Line.lower(
                        "tables once more in a new session, unchanged",
                        "plain upsert",
                        "log bytes",
                        ownAgain.over(upsertAgain, Comparison::log),
                        0.35,
                        0.05,
                        unchanged),
                Line.higher(
                        "the same",
                        "plain upsert, rows encoded before",
                        "events/s",
                        ownAgain.over(upsertAgain, Comparison::speed),
                        null,
                        null,
                        unchanged));
    }

    /** Both sides of a ratio have the same events. */
    private static double speed(Turn turn) {
        return 1 / turn.usage().seconds();
    }

    private static double log(Turn turn) {
        return turn.usage().walBytes();
    }

    private static double cpu(Turn turn) {
        return turn.usage().serverCpuSeconds() + turn.usage().clientCpuSeconds();
    }

    private static String same(StorageContender one, StorageContender other, String what) {
        String found = one.turns().getFirst().found();
        for (StorageContender arm : List.of(one, other)) {
            for (Turn turn : arm.turns()) {
                if (!turn.found().equals(found)) {
                    throw new IllegalStateException(
                            one.name() + " has " + found + ", " + arm.name() + " " + turn.found());
                }
            }
        }
        return what + ": routes, a digest of each one's peer, prefix, next hop, AS path, MED and communities: " + found;
    }

    List<Map<String, Object>> information() {
        List<Map<String, Object>> rows = new ArrayList<>();
        for (StorageContender arm : arms()) {
            TransactionFeed feed = arm.feed();
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("arm", arm.name());
            row.put(
                    "events/s",
                    Math.round(feed.events() / arm.median(turn -> turn.usage().seconds())));
            row.put(
                    "server CPU µs/event",
                    tenths(arm.median(turn -> turn.usage().serverCpuSeconds()) * 1e6, feed));
            row.put(
                    "client CPU µs/event",
                    tenths(arm.median(turn -> turn.usage().clientCpuSeconds()) * 1e6, feed));
            row.put("log B/event", tenths(arm.median(Comparison::log), feed));
            row.put("disk grown B/event", tenths(arm.median(Turn::grown), feed));
            rows.add(row);
        }
        return rows;
    }

    private static double tenths(double value, TransactionFeed feed) {
        return Math.round(value / feed.events() * 10) / 10.0;
    }
}
