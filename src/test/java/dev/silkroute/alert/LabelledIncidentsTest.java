package dev.silkroute.alert;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.rpki.RouteValidity;
import dev.silkroute.rpki.Validity;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Seeded incidents within benign updates: each incident is reported and closed, and hardly anything else is. Benign are
 * other paths with the expected origin, incidents and losses that fewer vantage points see than the threshold, peers
 * that go down and come back, and prefixes of others.
 */
class LabelledIncidentsTest {
    private static final int INCIDENTS = 200;
    private static final int BENIGN_PER_INCIDENT = 250;
    private static final int PREFIXES = 50;
    private static final long ME = 64500;
    private static final long OTHER = 64666;
    private static final long LEAK = 64999;

    private final List<String> labels = new ArrayList<>();

    private static String mine(int number) {
        return "10." + number + ".0.0/16";
    }

    private static AlertRules rules() {
        StringBuilder yaml = new StringBuilder("options: {monitorASns: {64500: {group: default}}}\n");
        for (int i = 0; i < PREFIXES; i++) {
            yaml.append(mine(i))
                    .append(": {description: p, asn: 64500, ignoreMorespecifics: false, path: {match: \",64999,\"}}\n");
        }
        return RulesFile.parse(yaml.toString());
    }

    private static RouteValidity roas() {
        return (prefix, origin) ->
                Optional.of(prefix.toString().startsWith("10.49.77.") ? Validity.INVALID : Validity.NOT_FOUND);
    }

    @Test
    void allIncidentsAndHardlyAnythingElseIsReported() {
        long seed = 26;
        AlertFeed feed = run(seed);
        TreeSet<String> reported = new TreeSet<>();
        List<String> changes = feed.changes();
        changes.stream().filter(change -> change.startsWith("opened")).forEach(reported::add);
        TreeSet<String> expected = new TreeSet<>(labels);
        TreeSet<String> found = new TreeSet<>(expected);
        found.retainAll(reported);
        long right = changes.stream().filter(expected::contains).count();
        long opened =
                changes.stream().filter(change -> change.startsWith("opened")).count();

        assertThat(labels).hasSizeGreaterThanOrEqualTo(INCIDENTS);
        assertThat(found).as("recall with seed %d", seed).isEqualTo(expected);
        assertThat(right).as("incidents").isEqualTo(labels.size());
        assertThat((double) right / opened).as("precision with seed %d", seed).isGreaterThanOrEqualTo(0.99);
        assertThat(changes.stream().filter(change -> change.startsWith("closed")))
                .hasSize((int) opened);
        assertThat(feed.engine.openAlerts()).isZero();
    }

    @Test
    void sameEventsLeadToTheSameBytes() {
        assertThat(run(7).bytes).isEqualTo(run(7).bytes);
    }

    private AlertFeed run(long seed) {
        labels.clear();
        Random random = new Random(seed);
        AlertFeed feed = new AlertFeed(rules(), AlertFeed.settings(2, 3), roas());
        for (int prefix = 0; prefix < PREFIXES; prefix++) {
            for (int point = 0; point < AlertFeed.VANTAGE_POINTS; point++) {
                feed.announce(point, mine(prefix), 65000 + point, ME);
            }
        }
        for (int i = 0; i < INCIDENTS; i++) {
            for (int j = 0; j < BENIGN_PER_INCIDENT; j++) {
                benign(feed, random);
            }
            incident(feed, random, i);
        }
        return feed;
    }

    private static void benign(AlertFeed feed, Random random) {
        int point = random.nextInt(AlertFeed.VANTAGE_POINTS);
        String prefix = mine(random.nextInt(PREFIXES));
        switch (random.nextInt(20)) {
            case 0 -> { // below the threshold
                feed.announce(point, prefix, 65000 + point, OTHER);
                feed.announce(point, prefix, 65000 + point, ME);
            }
            case 1 -> { // a flap of fewer vantage points than the threshold
                int other = (point + 1) % AlertFeed.VANTAGE_POINTS;
                feed.withdraw(point, prefix);
                feed.withdraw(other, prefix);
                feed.announce(point, prefix, 65000 + point, ME);
                feed.announce(other, prefix, 65000 + other, ME);
            }
            case 2 -> {
                if (random.nextInt(50) == 0) {
                    feed.peerDown(point);
                    for (int i = 0; i < PREFIXES; i++) {
                        feed.announce(point, mine(i), 65000 + point, ME);
                    }
                    feed.endOfRib(point);
                }
            }
            case 3, 4, 5, 6 -> feed.announce(point, "172.16." + random.nextInt(256) + ".0/24", 65000 + point, OTHER);
            default -> feed.announce(point, prefix, 65000 + point, 65100 + random.nextInt(100), ME);
        }
    }

    private void incident(AlertFeed feed, Random random, int number) {
        int prefix = random.nextInt(PREFIXES - 1);
        String own = mine(prefix);
        String specific = "10." + prefix + "." + number + ".0/24";
        List<Integer> points = new ArrayList<>(List.of(0, 1, 2, 3, 4, 5));
        Collections.shuffle(points, random);
        List<Integer> some = points.subList(0, 3);
        switch (number % 7) {
            case 0 -> replaced(feed, some, "origin-change", own, OTHER);
            case 1 -> added(feed, some, List.of("more-specific"), specific, OTHER);
            case 2 -> added(feed, some, List.of("new-prefix"), specific, ME);
            case 3 -> added(feed, some, List.of("unlisted-prefix"), "203.0.113." + number + "/32", ME);
            case 4 -> replaced(feed, some, "as-path", own, LEAK, ME);
            case 5 -> {
                labels.add("opened visibility-loss " + own);
                some.forEach(point -> feed.withdraw(point, own));
                restore(feed, some, own);
            }
            default -> added(feed, some, List.of("more-specific", "rpki-invalid"), "10.49.77." + number + "/32", OTHER);
        }
    }

    private void replaced(AlertFeed feed, List<Integer> points, String rule, String prefix, long... path) {
        labels.add("opened " + rule + " " + prefix);
        points.forEach(point -> feed.announce(point, prefix, path(point, path)));
        restore(feed, points, prefix);
    }

    private void added(AlertFeed feed, List<Integer> points, List<String> rules, String prefix, long origin) {
        rules.forEach(rule -> labels.add("opened " + rule + " " + prefix));
        points.forEach(point -> feed.announce(point, prefix, path(point, origin)));
        points.forEach(point -> feed.withdraw(point, prefix));
    }

    private static void restore(AlertFeed feed, List<Integer> points, String prefix) {
        points.forEach(point -> feed.announce(point, prefix, 65000 + point, ME));
    }

    private static long[] path(int point, long... rest) {
        long[] path = new long[rest.length + 1];
        path[0] = 65000 + point;
        System.arraycopy(rest, 0, path, 1, rest.length);
        return path;
    }
}
