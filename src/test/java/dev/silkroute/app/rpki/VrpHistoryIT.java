package dev.silkroute.app.rpki;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.silkroute.component.Metric;
import dev.silkroute.fixture.TestConfig;
import dev.silkroute.fixture.TestPostgres;
import dev.silkroute.net.IpPrefix;
import dev.silkroute.rpki.AspaTable;
import dev.silkroute.rpki.Validity;
import dev.silkroute.rpki.Vrp;
import dev.silkroute.rpki.VrpTable;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** Tests what the database has of the versions of VRPs, and validity by those of a time. */
class VrpHistoryIT {
    private static final Instant START = Instant.parse("2026-11-25T12:00:00Z");
    private static final VrpTable NONE = VrpTable.EMPTY;
    private static final String VRPS = """
            SELECT prefix, max_length, asn, to_char(valid_from AT TIME ZONE 'UTC', 'HH24:MI'),
              to_char(valid_until AT TIME ZONE 'UTC', 'HH24:MI')
            FROM bmp.vrp ORDER BY prefix, max_length, asn, valid_from""";
    private static final String VERSIONS = """
            SELECT to_char(used_from AT TIME ZONE 'UTC', 'HH24:MI'), vrps, announced, withdrawn
            FROM bmp.vrp_version ORDER BY used_from""";

    private final DataSource database = TestPostgres.database();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

    private VrpHistory history(Object... keysAndValues) {
        return new VrpHistory(database, TestConfig.of(keysAndValues), meters);
    }

    private static void update(VrpHistory history, VrpTable vrps, Instant at) {
        history.update(new VrpsInUse(vrps, AspaTable.EMPTY, at), at);
    }

    private List<String> query(String sql) throws SQLException {
        return TestPostgres.query(database, sql);
    }

    private String validity(String prefix, String origin, Instant at) throws SQLException {
        return query("SELECT bmp.rpki_validity('" + prefix + "', " + origin + ", '" + at + "')")
                .getFirst();
    }

    private static Vrp vrp(String prefix, int maxLength, int asn) {
        return new Vrp(IpPrefix.parse(prefix), maxLength, asn);
    }

    private static VrpTable table(Vrp... vrps) {
        return VrpTable.of(List.of(vrps));
    }

    private static Instant minute(int minutes) {
        return START.plus(Duration.ofMinutes(minutes));
    }

    private double counted(Metric metric, String... tags) {
        return meters.get(metric.meterName()).tags(tags).counter().count();
    }

    @Test
    void aRouteIsValidatedByTheVersionOfItsTime() throws SQLException {
        VrpHistory history = history();
        update(
                history,
                table(
                        vrp("192.0.2.0/24", 24, 64500),
                        vrp("198.51.100.0/22", 23, 64501),
                        vrp("203.0.113.0/24", 32, 0),
                        vrp("2001:db8::/32", 48, -1)),
                minute(0));
        update(
                history,
                table(
                        vrp("192.0.2.0/24", 24, 64511),
                        vrp("198.51.100.0/22", 24, 64501),
                        vrp("203.0.113.0/24", 32, 0),
                        vrp("203.0.113.0/25", 25, 64502)),
                minute(10));

        record Case(String prefix, String origin, String before, String after) {}
        List<Case> cases = List.of(
                new Case("192.0.2.0/24", "64500", "valid", "invalid"), // another AS is authorized now
                new Case("192.0.2.0/24", "64511", "invalid", "valid"),
                new Case("192.0.2.0/24", "NULL", "invalid", "invalid"), // without origin
                new Case("192.0.2.0/25", "64500", "invalid", "invalid"), // too long
                new Case("192.0.0.0/22", "64500", "not-found", "not-found"), // shorter than any VRP
                new Case("198.51.100.0/22", "64501", "valid", "valid"),
                new Case("198.51.101.0/24", "64501", "invalid", "valid"), // a longer maximum length
                new Case("198.51.101.0/25", "64501", "invalid", "invalid"),
                new Case("203.0.113.0/25", "64502", "invalid", "valid"), // AS 0, then beside another VRP
                new Case("203.0.113.0/24", "0", "invalid", "invalid"),
                new Case("2001:db8:1::/48", "4294967295", "valid", "not-found"), // withdrawn
                new Case("2001:db8:1::/49", "4294967295", "invalid", "not-found"),
                new Case("2001:db9::/32", "4294967295", "not-found", "not-found"));
        for (Case each : cases) {
            assertThat(List.of(
                            validity(each.prefix(), each.origin(), minute(0)),
                            validity(each.prefix(), each.origin(), minute(10).minusMillis(1)),
                            validity(each.prefix(), each.origin(), minute(10)),
                            validity(each.prefix(), each.origin(), minute(10_000))))
                    .as("%s", each)
                    .containsExactly(each.before(), each.before(), each.after(), each.after());
            assertThat(validity(each.prefix(), each.origin(), minute(0).minusMillis(1)))
                    .as("before the first version")
                    .isEqualTo("-");
        }
        history.stop();
    }

    @Test
    void onlyDifferencesAreWritten() throws SQLException {
        Vrp kept = vrp("192.0.2.0/24", 24, 64500);
        Vrp returning = vrp("198.51.100.0/24", 24, 64501);
        VrpHistory history = history();
        update(history, table(kept, returning), minute(0));
        update(history, table(kept), minute(1));
        update(history, table(returning, kept), minute(2));
        List<String> expected = List.of(
                "192.0.2.0/24|24|64500|12:00|-",
                "198.51.100.0/24|24|64501|12:00|12:01",
                "198.51.100.0/24|24|64501|12:02|-");
        assertThat(query(VRPS)).isEqualTo(expected);
        assertThat(query(VERSIONS)).containsExactly("12:00|2|2|0", "12:01|1|0|1", "12:02|2|1|0");
        List<String> tuples = query("SELECT ctid, xmin FROM bmp.vrp ORDER BY ctid");

        // An equal version in another object, and stations with the same VRPs that take over
        update(history, table(kept, returning), minute(3));
        history.stop();
        VrpHistory other = history();
        update(other, table(kept, returning), minute(4));
        other.stop();
        assertThat(query("SELECT ctid, xmin FROM bmp.vrp ORDER BY ctid")).isEqualTo(tuples);
        assertThat(query(VERSIONS)).hasSize(3);
        assertThat(counted(Metric.RPKI_HISTORY_CHANGES, "change", "announced")).isEqualTo(3);
        assertThat(counted(Metric.RPKI_HISTORY_CHANGES, "change", "withdrawn")).isEqualTo(1);
    }

    @Test
    void whileThereAreNoVrpsRoutesHaveNoValidity() throws SQLException {
        VrpTable vrps = table(vrp("192.0.2.0/24", 24, 64500));
        VrpHistory history = history();
        update(history, NONE, minute(0));
        assertThat(query(VERSIONS)).isEmpty();
        update(history, vrps, minute(1));
        update(history, NONE, minute(2));
        update(history, vrps, minute(3));
        assertThat(List.of(
                        validity("192.0.2.0/24", "64500", minute(1)),
                        validity("192.0.2.0/24", "64500", minute(2)),
                        validity("10.0.0.0/8", "64500", minute(2)),
                        validity("192.0.2.0/24", "64500", minute(3))))
                .containsExactly("valid", "-", "-", "valid");
        assertThat(query(VRPS)).containsExactly("192.0.2.0/24|24|64500|12:01|-");
        history.stop();
    }

    @Test
    void oneOfSeveralWritersStoresUntilItStops() throws SQLException {
        VrpTable old = table(vrp("192.0.2.0/24", 24, 64500));
        VrpTable current = table(vrp("192.0.2.0/24", 24, 64501));
        VrpHistory first = history();
        VrpHistory second = history();
        update(first, old, minute(0));
        update(first, current, minute(1));
        update(second, old, minute(2)); // a cache that is late
        assertThat(validity("192.0.2.0/24", "64501", minute(3))).isEqualTo("valid");

        first.stop();
        update(second, old, minute(3));
        assertThat(validity("192.0.2.0/24", "64501", minute(3))).isEqualTo("invalid");
        assertThat(query(VERSIONS)).hasSize(3);
        second.stop();
    }

    @Test
    void aWriterWithoutVrpsLeavesTheHistoryToAnother() throws SQLException {
        VrpTable vrps = table(vrp("192.0.2.0/24", 24, 64500));
        VrpHistory first = history();
        VrpHistory second = history();
        update(first, vrps, minute(0));
        update(second, vrps, minute(0));
        update(first, NONE, minute(1));
        update(second, vrps, minute(2));
        assertThat(query(VERSIONS))
                .extracting(each -> each.replaceAll("^[^|]*\\|", ""))
                .containsExactly("1|1|0", "0|0|0", "1|0|0");
        first.stop();
        second.stop();
    }

    /** As after a kill -9: the transaction has never ended, and the lock ended with the connection. */
    @Test
    void aDifferenceThatWasWrittenInPartIsCompletedByTheNextWriter() throws SQLException {
        Random random = new Random(1);
        VrpTable before = VrpTable.of(random(random, 3_000));
        VrpTable after = VrpTable.of(random(random, 3_000));
        VrpHistory first = history();
        update(first, before, minute(0));
        List<String> stored = query(VRPS);
        execute("CREATE FUNCTION bmp.fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                + " IF NEW.asn = 7 THEN PERFORM pg_terminate_backend(pg_backend_pid()); END IF; RETURN NEW; END $$;"
                + "CREATE TRIGGER fail BEFORE INSERT ON bmp.vrp FOR EACH ROW EXECUTE FUNCTION bmp.fail()");
        update(first, after, minute(1));
        assertThat(query(VRPS)).isEqualTo(stored);
        assertThat(counted(Metric.RPKI_HISTORY_FAILURES)).isEqualTo(1);

        execute("DROP TRIGGER fail ON bmp.vrp");
        VrpHistory second = history();
        update(second, after, minute(2));
        assertThat(current()).isEqualTo(texts(after));
        assertThat(query("SELECT count(*) FROM bmp.vrp WHERE valid_until IS NULL AND valid_from < '" + minute(2) + "'"))
                .containsExactly(
                        Integer.toString(before.size() - before.minus(after).size()));
        second.stop();
        // The first one still runs, and takes over again
        update(first, before, minute(3));
        assertThat(current()).isEqualTo(texts(before));
        first.stop();
    }

    @Test
    void aVersionThatCouldNotBeStoredKeepsTheTimeOfItsFirstUse() throws SQLException {
        VrpHistory history = history();
        update(history, table(vrp("192.0.2.0/24", 24, 64500)), minute(0));
        execute("ALTER TABLE bmp.vrp RENAME TO other");
        VrpTable next = table(vrp("192.0.2.0/24", 24, 64501));
        update(history, next, minute(1));
        execute("ALTER TABLE bmp.other RENAME TO vrp");
        update(history, next, minute(1).plusSeconds(1)); // too early for the next attempt
        assertThat(validity("192.0.2.0/24", "64501", minute(1))).isEqualTo("invalid");
        update(history, next, minute(2));
        assertThat(validity("192.0.2.0/24", "64501", minute(1))).isEqualTo("valid");
        assertThat(counted(Metric.RPKI_HISTORY_FAILURES)).isEqualTo(1);
        history.stop();
    }

    @Test
    void whatIsOlderThanTheRetentionIsDeletedAndUnknown() throws SQLException {
        Instant now = Instant.now();
        VrpHistory history = history("silkroute.rpki.versions.retention", "10d");
        VrpTable newest = table(vrp("192.0.2.0/24", 24, 64503));
        update(history, table(vrp("192.0.2.0/24", 24, 64500)), now.minus(Duration.ofDays(30)));
        update(history, table(vrp("192.0.2.0/24", 24, 64501)), now.minus(Duration.ofDays(20)));
        update(history, table(vrp("192.0.2.0/24", 24, 64502)), now.minus(Duration.ofDays(5)));
        update(history, newest, now.minus(Duration.ofDays(1)));
        update(history, newest, now);
        history.stop();
        // The version that was in use ten days ago is the first one
        assertThat(query("SELECT asn FROM bmp.vrp ORDER BY asn")).containsExactly("64501", "64502", "64503");
        assertThat(query(VERSIONS)).hasSize(3);
        assertThat(validity("192.0.2.0/24", "64500", now.minus(Duration.ofDays(25))))
                .isEqualTo("-");
        assertThat(validity("192.0.2.0/24", "64501", now.minus(Duration.ofDays(19))))
                .isEqualTo("valid");
        assertThat(validity("192.0.2.0/24", "64503", now)).isEqualTo("valid");
        assertThat(counted(Metric.RPKI_HISTORY_PURGED)).isEqualTo(1);
    }

    @Test
    void theNumberOfWithdrawnVrpsIsBounded() throws SQLException {
        VrpHistory history =
                history("silkroute.rpki.versions.max-withdrawn", 5, "silkroute.rpki.versions.retention", "0s");
        for (int i = 0; i < 10; i++) {
            update(history, table(vrp("192.0.2.0/24", 24, i), vrp("198.51.100.0/24", 24, i)), minute(i));
        }
        assertThat(query("SELECT count(*) FILTER (WHERE valid_until IS NULL), count(valid_until) FROM bmp.vrp"))
                .containsExactly("2|4");
        assertThat(meters.get(Metric.RPKI_HISTORY_ROWS.meterName()).gauges())
                .extracting(gauge -> gauge.value())
                .containsExactly(6.0);
        assertThat(validity("192.0.2.0/24", "6", minute(6))).as("deleted").isEqualTo("-");
        assertThat(validity("192.0.2.0/24", "7", minute(7))).isEqualTo("valid");
        assertThat(counted(Metric.RPKI_HISTORY_PURGED)).isEqualTo(14);
        history.stop();
    }

    /** The function and the table in memory agree on random VRPs, also after these have been read from the database. */
    @Test
    void theFunctionAgreesWithTheTableInMemory() throws SQLException {
        Random random = new Random(6811);
        var versions = new TreeMap<Instant, VrpTable>();
        VrpHistory history = history();
        for (int i = 0; i < 4; i++) {
            List<Vrp> vrps = random(random, 2_000);
            vrps.add(new Vrp(new IpPrefix(true, 0, 0xFFFF_C000_0200L, 120), 120, 64500)); // IPv4-mapped
            versions.put(minute(i), VrpTable.of(vrps));
            update(history, versions.get(minute(i)), minute(i));
        }
        history.stop();
        List<String> routes = new ArrayList<>();
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 5_000; i++) {
            IpPrefix prefix = prefix(random);
            int origin = random.nextInt(5);
            int version = random.nextInt(4);
            routes.add("('%s'::cidr, %d, '%s'::timestamptz)".formatted(prefix, origin, minute(version)));
            Validity validity = versions.get(minute(version)).validate(prefix, origin);
            expected.add(validity.text());
        }
        assertThat(expected).contains("valid", "invalid", "not-found");
        assertThat(query(
                        "SELECT bmp.rpki_validity(p, o, t) FROM (VALUES " + String.join(",", routes) + ") r (p, o, t)"))
                .isEqualTo(expected);
        // A new process reads the stored version from the database, so an equal one writes nothing
        VrpHistory next = history();
        update(next, versions.get(minute(3)), minute(4));
        next.stop();
        assertThat(query(VERSIONS)).hasSize(4);
    }

    @Test
    void versionsOfASpanAreReadAsTheyWereUsed() throws SQLException {
        Random random = new Random(11);
        TreeMap<Instant, VrpTable> versions = new TreeMap<>();
        for (int i = 0; i < 6; i++) {
            versions.put(minute(10 * i), i == 3 ? NONE : VrpTable.of(random(random, 50)));
        }
        VrpHistory history = history();
        versions.forEach((at, table) -> update(history, table, at));
        history.stop();
        assertThat(used(minute(-1), minute(60))).isEqualTo(texts(versions));
        assertThat(used(minute(10), minute(60))).isEqualTo(texts(versions.tailMap(minute(10))));
        assertThat(used(minute(35), minute(45)))
                .as("begins without VRPs")
                .isEqualTo(texts(versions.subMap(minute(30), minute(45))));
        assertThat(used(minute(12), minute(15))).isEqualTo(texts(versions.subMap(minute(10), minute(15))));

        execute("SELECT bmp.purge_vrps(now() - timestamptz '" + minute(45) + "', 1000000)");
        assertThat(used(minute(-1), minute(60)))
                .as("versions that are no longer kept: no VRPs until the first one that is")
                .isEqualTo(texts(versions.tailMap(minute(40))));
    }

    /** Returns the VRPs in use in a span that is read in parts of a quarter of an hour; none at first are left out. */
    private List<List<String>> used(Instant from, Instant to) throws SQLException {
        List<List<String>> used = new ArrayList<>();
        try (Connection connection = database.getConnection()) {
            PastVrps vrps = PastVrps.at(connection, from);
            used.add(texts(vrps.table()));
            for (Instant start = from; start.isBefore(to); start = start.plus(Duration.ofMinutes(15))) {
                Instant end = start.plus(Duration.ofMinutes(15));
                vrps.read(connection, start, end.isBefore(to) ? end : to);
                while (vrps.next().isPresent()) {
                    vrps.advance();
                    used.add(texts(vrps.table()));
                }
            }
        }
        boolean unknownAtFirst = from.isBefore(START);
        while (unknownAtFirst && used.getFirst().isEmpty()) {
            used.removeFirst();
        }
        return used;
    }

    private static List<List<String>> texts(SortedMap<Instant, VrpTable> versions) {
        return versions.values().stream().map(VrpHistoryIT::texts).toList();
    }

    @Test
    void nothingIsStoredIfItIsOffOrTheStationIsNotAWriter() {
        VrpTable vrps = table(vrp("192.0.2.0/24", 24, 64500));
        for (VrpHistory history :
                List.of(history("silkroute.rpki.versions.enabled", false), history("silkroute.roles", "rib"))) {
            history.start(() -> {
                throw new AssertionError("not asked for VRPs");
            });
            assertThat(history.isRunning()).isFalse();
        }
        VrpHistory running = history();
        running.start(() -> new VrpsInUse(vrps, AspaTable.EMPTY, START));
        assertThat(running.isRunning()).isTrue();
        running.stop();
    }

    @Test
    void aVersionIsNotStoredWithoutTheLock() {
        try (VrpStore store = new VrpStore(database, Duration.ZERO, 10)) {
            assertThatThrownBy(() -> store.store(NONE, START)).hasMessage("the store does not have the lock");
        }
    }

    private static List<Vrp> random(Random random, int count) {
        List<Vrp> vrps = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            IpPrefix prefix = prefix(random);
            int maxLength = prefix.length() + random.nextInt((prefix.ipv6() ? 128 : 32) - prefix.length() + 1);
            vrps.add(new Vrp(prefix, maxLength, random.nextInt(4) == 0 ? 7 : random.nextInt(5)));
        }
        return vrps;
    }

    private static IpPrefix prefix(Random random) {
        int length = 18 + random.nextInt(15);
        int third = random.nextInt(256);
        int fourth = random.nextInt(256);
        return random.nextBoolean()
                ? IpPrefix.parse("2001:db8:0:%x::%x/%d".formatted(third << 8, fourth, length * 4))
                : IpPrefix.parse("192.0.%d.%d/%d".formatted(third, fourth, length));
    }

    private List<String> current() throws SQLException {
        return query(
                "SELECT prefix || '-' || max_length || ' AS' || asn FROM bmp.vrp WHERE valid_until IS NULL ORDER BY 1");
    }

    private static List<String> texts(VrpTable table) {
        return table.toList().stream().map(Vrp::toString).sorted().toList();
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = database.getConnection()) {
            connection.createStatement().execute(sql);
        }
    }
}
