package dev.silkroute.alert;

import dev.silkroute.net.IpPrefix;
import dev.silkroute.rpki.Aspa;
import dev.silkroute.rpki.AspaTable;
import dev.silkroute.rpki.Vrp;
import dev.silkroute.rpki.VrpTable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Seeded incidents within benign updates. Benign are other paths with the expected origin, incidents and losses that
 * fewer vantage points see than the threshold, peers that go down and come back, and VRPs and prefixes of others.
 */
final class LabelledIncidents {
    static final int INCIDENTS = 228;
    static final int MIN_VANTAGE_POINTS = 2;
    static final int MIN_VISIBILITY_LOSS = 3;
    static final long ME = 64500;
    static final long OLD_TRANSIT = 64999;
    /** The neighbor of the vantage points 1 and 4. */
    static final long CUSTOMER = 64501;

    static final long PROVIDER = 65010;
    static final long LEAKER = 64700;
    static final long OTHER_PROVIDER = 65020;

    private static final int BENIGN_PER_INCIDENT = 250;
    private static final int PREFIXES = 50;
    private static final int KINDS = 12;
    private static final long OTHER = 64666;
    private static final long NEW_UPSTREAM = 64777;
    private static final int UPSTREAM = 65100;
    private static final int UPSTREAMS = 100;
    /** None of the vantage points receives a route from the only provider of {@link #ME}. */
    static final AspaTable ASPAS = AspaTable.of(List.of(new Aspa((int) ME, List.of(UPSTREAM))));

    private static final Vrp COVERING = vrp("10.49.77.0/24", ME);

    /** Each alert that has to open, such as {@code opened origin-change 10.1.0.0/16}. */
    final List<String> labels = new ArrayList<>();

    final AlertFeed feed = new AlertFeed(rules(), settings(), VrpTable.of(List.of(COVERING)));
    private final Random random;

    LabelledIncidents(long seed) {
        random = new Random(seed);
        feed.engine.useAspas(ASPAS);
        for (int prefix = 0; prefix < PREFIXES; prefix++) {
            for (int point = 0; point < AlertFeed.VANTAGE_POINTS; point++) {
                feed.announce(point, mine(prefix), 65000 + point, ME);
            }
        }
        for (int i = 0; i < INCIDENTS; i++) {
            for (int j = 0; j < BENIGN_PER_INCIDENT; j++) {
                benign();
            }
            incident(i);
        }
    }

    static AlertSettings settings() {
        return AlertFeed.settings(MIN_VANTAGE_POINTS, MIN_VISIBILITY_LOSS);
    }

    private static String mine(int number) {
        return "10." + number + ".0.0/16";
    }

    private static Vrp vrp(String prefix, long asn) {
        IpPrefix parsed = IpPrefix.parse(prefix);
        return new Vrp(parsed, parsed.length(), (int) asn);
    }

    static boolean isUpstream(long asn) {
        return asn >= UPSTREAM && asn < UPSTREAM + UPSTREAMS
                || asn == OLD_TRANSIT
                || asn >= 65000 && asn < 65000 + AlertFeed.VANTAGE_POINTS;
    }

    static AlertRules rules() {
        String upstreams = IntStream.range(65000, UPSTREAM + UPSTREAMS)
                .filter(LabelledIncidents::isUpstream)
                .mapToObj(String::valueOf)
                .collect(Collectors.joining(", "));
        StringBuilder yaml = new StringBuilder(
                """
                options:
                  monitorASns: {%d: {group: default, upstreams: [%d, %s]}}
                  neighborRoles: {%d: customer}
                  relations: [%d|%d|-1, %d|%d|-1]
                """.formatted(ME, OLD_TRANSIT, upstreams, CUSTOMER, PROVIDER, LEAKER, OTHER_PROVIDER, LEAKER));
        for (int i = 0; i < PREFIXES; i++) {
            yaml.append(mine(i))
                    .append(": {description: p, asn: 64500, ignoreMorespecifics: false, path: {match: \",64999,\"}}\n");
        }
        return RulesFile.parse(yaml.toString());
    }

    private void benign() {
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
                } else if (random.nextInt(50) == 0) { // VRPs of others, and one that makes routes valid
                    feed.useVrps(
                            VrpTable.of(List.of(COVERING, vrp("172.16.0.0/16", point), vrp(mine(PREFIXES - 1), ME))));
                }
            }
            case 3, 4, 5, 6 -> feed.announce(point, "172.16." + random.nextInt(256) + ".0/24", 65000 + point, OTHER);
            default -> feed.announce(point, prefix, 65000 + point, UPSTREAM + random.nextInt(UPSTREAMS), ME);
        }
    }

    private void incident(int number) {
        int prefix = random.nextInt(PREFIXES - 1);
        String own = mine(prefix);
        String specific = "10." + prefix + "." + number + ".0/24";
        String elsewhere = "203.0." + number + ".0/24";
        List<Integer> points = new ArrayList<>(List.of(0, 1, 2, 3, 4, 5));
        Collections.shuffle(points, random);
        List<Integer> some = points.subList(0, 3);
        switch (number % KINDS) {
            case 0 -> replaced(some, "origin-change", own, OTHER);
            case 1 -> added(some, List.of("more-specific"), specific, OTHER);
            case 2 -> added(some, List.of("new-prefix"), specific, ME);
            case 3 -> added(some, List.of("unlisted-prefix"), elsewhere, ME);
            case 4 -> replaced(some, "as-path", own, OLD_TRANSIT, ME);
            case 5 -> {
                label("visibility-loss", own);
                some.forEach(point -> feed.withdraw(point, own));
                restore(some, own);
            }
            case 6 -> added(some, List.of("more-specific", "rpki-invalid"), "10.49.77." + number + "/32", OTHER);
            case 7 ->
                accepted(points.stream().filter(point -> !isOfCustomer(point)).toList(), "10.49.77." + number + "/32");
            case 8 -> replaced(some, "new-upstream", own, NEW_UPSTREAM, ME);
            case 9 -> leaked(some, elsewhere);
            case 10 -> invalidPath(own);
            default -> roaChanged(own);
        }
    }

    private void label(String rule, String prefix) {
        labels.add("opened " + rule + " " + prefix);
    }

    private void replaced(List<Integer> points, String rule, String prefix, long... path) {
        label(rule, prefix);
        points.forEach(point -> feed.announce(point, prefix, path(point, path)));
        restore(points, prefix);
    }

    private void added(List<Integer> points, List<String> rules, String prefix, long... path) {
        rules.forEach(rule -> label(rule, prefix));
        points.forEach(point -> feed.announce(point, prefix, path(point, path)));
        points.forEach(point -> feed.withdraw(point, prefix));
    }

    /** An invalid route that the policies of routers accept. */
    private void accepted(List<Integer> points, String prefix) {
        List.of("more-specific", "rpki-invalid", "rpki-invalid-accepted").forEach(rule -> label(rule, prefix));
        points.forEach(point -> feed.accept(point, prefix, path(point, OTHER)));
        points.forEach(point -> feed.reject(point, prefix));
    }

    private static boolean isOfCustomer(int point) {
        return AlertFeed.peer(point).asn() == CUSTOMER;
    }

    private static List<Integer> ofCustomer() {
        return IntStream.range(0, AlertFeed.VANTAGE_POINTS)
                .filter(LabelledIncidents::isOfCustomer)
                .boxed()
                .toList();
    }

    /** A route that a customer has sent and has not received from a provider of the origin. */
    private void invalidPath(String prefix) {
        label("aspa-invalid-accepted", prefix);
        ofCustomer().forEach(point -> feed.accept(point, prefix, CUSTOMER, 65000 + point, ME));
        ofCustomer().forEach(point -> feed.reject(point, prefix));
    }

    private void leaked(List<Integer> points, String prefix) {
        if (random.nextBoolean()) {
            added(points, List.of("path-leak"), prefix, PROVIDER, LEAKER, OTHER_PROVIDER, OTHER);
            return;
        }
        label("otc-leak", prefix);
        List<Integer> ofCustomer = ofCustomer();
        ofCustomer.forEach(point -> feed.announceOnlyToCustomer(point, prefix, OTHER_PROVIDER, path(point, OTHER)));
        ofCustomer.forEach(point -> feed.withdraw(point, prefix));
    }

    /** A new VRP makes the listed prefix invalid as it is announced; later the VRPs are as before. */
    private void roaChanged(String prefix) {
        label("rpki-invalid", prefix);
        feed.useVrps(VrpTable.of(List.of(COVERING, vrp(prefix, OTHER))));
        benign();
        feed.useVrps(VrpTable.of(List.of(COVERING)));
    }

    private void restore(List<Integer> points, String prefix) {
        points.forEach(point -> feed.announce(point, prefix, 65000 + point, ME));
    }

    private static long[] path(int point, long... rest) {
        long[] path = new long[rest.length + 1];
        path[0] = 65000 + point;
        System.arraycopy(rest, 0, path, 1, rest.length);
        return path;
    }
}
