package dev.silkroute.postgres.lane;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.silkroute.fixture.LaneRows;
import dev.silkroute.fixture.TestPostgres;
import io.agroal.api.AgroalDataSource;
import io.agroal.api.configuration.supplier.AgroalDataSourceConfigurationSupplier;
import io.agroal.api.exceptionsorter.PostgreSQLExceptionSorter;
import io.agroal.api.security.NamePrincipal;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * One lane and the table where it keeps its place, without Kafka: what readers can do wrong is done here on purpose.
 */
class LaneIT {
    private static final UUID TOPIC = UUID.randomUUID();
    private static final UUID OTHER = UUID.randomUUID();
    private static final LaneTiming TIMING =
            new LaneTiming(Duration.ofSeconds(30), Duration.ofMillis(10), Duration.ofMillis(50));

    private final DataSource database = TestPostgres.database();
    private final Lane<String> lane = lane(TIMING);

    @BeforeEach
    void table() throws SQLException {
        execute("CREATE TABLE stored (what text, CHECK (what <> 'bad'))");
        execute("CREATE TABLE aside (what text)");
    }

    /** Writes each record as a row; a gate can be put between the rows and the commit. */
    private static final class Rows implements LaneWriter<String> {
        private volatile Callable<Void> gate = () -> null;

        @Override
        public Prepared prepare(Connection connection, List<LaneRecord<String>> records) {
            return transaction -> {
                LaneRows.insert(transaction, "stored", records);
                try {
                    gate.call();
                } catch (SQLException e) {
                    throw e;
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
                return records.size();
            };
        }

        @Override
        public boolean setsAside() {
            return true;
        }

        @Override
        public void setAside(LaneTransaction transaction, LaneRecord<String> record, Exception problem)
                throws SQLException {
            LaneRows.insert(transaction, "aside", List.of(record));
        }
    }

    private Lane<String> lane(LaneTiming timing) {
        return lane(timing, new Rows());
    }

    private Lane<String> lane(LaneTiming timing, Rows rows) {
        return new Lane<>("test", database, new LaneOffsets("test", "bmp.lane_offset"), rows, timing);
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = database.getConnection()) {
            connection.createStatement().execute(sql);
        }
    }

    private List<String> query(String sql) throws SQLException {
        return TestPostgres.query(database, sql);
    }

    private static LaneRecord<String> record(UUID topic, int partition, long offset, long follows, String what) {
        return new LaneRecord<>("t-" + partition, new LanePosition("t", topic, partition, offset, follows), what);
    }

    /**
     * The records of a partition from one offset to before another, as a reader gets them that began to read there.
     */
    private static List<LaneRecord<String>> run(int partition, long from, long to) {
        return run(TOPIC, partition, from, to, from);
    }

    private static List<LaneRecord<String>> run(UUID topic, int partition, long from, long to, long follows) {
        List<LaneRecord<String>> records = new ArrayList<>();
        for (long offset = from; offset < to; offset++) {
            records.add(record(topic, partition, offset, offset == from ? follows : offset, partition + "/" + offset));
        }
        return records;
    }

    @Test
    void givenATopicThatWasCreatedAgainWhenRecordsAtTheSameOffsetAreQuarantinedThenBothAreStoredOnce()
            throws SQLException {
        for (String value : List.of("before", "before", "after", "after")) {
            try (Connection connection = database.getConnection()) {
                LaneTransaction.run(connection, transaction -> {
                    byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
                    Quarantine.add(
                            transaction, new LaneRecord<>("t-0@5", null, bytes), "malformed", Quarantine.NO_OFFSET);
                    return null;
                });
            }
        }
        assertThat(query("SELECT convert_from(bytes, 'UTF8') FROM bmp.quarantine ORDER BY kafka_record"))
                .containsExactly("before", "after");
    }

    private long store(List<LaneRecord<String>> records) throws SQLException {
        return lane.store(records, () -> true);
    }

    private List<String> place() throws SQLException {
        return query("SELECT kafka_partition, next_offset FROM bmp.lane_offset WHERE lane = 'test' ORDER BY 1");
    }

    private void assertOnce(int partition, long from, long to) throws SQLException {
        assertThat(query("SELECT count(*), count(DISTINCT what), min(split_part(what, '/', 2)::int),"
                        + " max(split_part(what, '/', 2)::int) FROM stored WHERE what LIKE '" + partition + "/%'"))
                .containsExactly((to - from) + "|" + (to - from) + "|" + from + "|" + (to - 1));
    }

    @Test
    void aLaneBeginsWhereItsReaderWasPutAndGoesOn() throws SQLException {
        store(run(TOPIC, 0, 5, 8, LanePosition.UNKNOWN));
        store(run(0, 8, 10));
        assertOnce(0, 5, 10);
        assertThat(place()).containsExactly("0|10");
    }

    @Test
    void whatComesAgainIsNotStoredAgain() throws SQLException {
        store(run(TOPIC, 0, 0, 4, LanePosition.UNKNOWN));
        assertThat(store(run(0, 0, 4))).isZero();
        assertThat(store(run(0, 2, 6))).isEqualTo(2);
        assertOnce(0, 0, 6);
        assertThat(lane.statistics().duplicates()).isEqualTo(6);
    }

    /** Revoked and given back while they were gathering: the reader has some of them twice in one batch. */
    @Test
    void aBatchWithRecordsTwiceStoresThemOnce() throws SQLException {
        List<LaneRecord<String>> batch = run(TOPIC, 0, 0, 4, LanePosition.UNKNOWN);
        batch.addAll(run(0, 0, 6));
        batch.addAll(2, run(TOPIC, 1, 7, 9, LanePosition.UNKNOWN));
        store(batch);
        assertOnce(0, 0, 6);
        assertOnce(1, 7, 9);
        assertThat(place()).containsExactly("0|6", "1|9");
    }

    @Test
    void aBatchThatDoesNotContinueIsRejectedWhole() throws SQLException {
        store(run(TOPIC, 0, 0, 4, LanePosition.UNKNOWN));
        List<LaneRecord<String>> batch = run(0, 5, 8);
        batch.addAll(run(TOPIC, 1, 0, 2, LanePosition.UNKNOWN));
        assertThatThrownBy(() -> store(batch))
                .isInstanceOf(LaneRejectedException.class)
                .hasMessageContaining("is at offset 4")
                .hasMessageContaining("follows 5");
        assertOnce(0, 0, 4);
        assertThat(query("SELECT count(*) FROM stored WHERE what LIKE '1/%'")).containsExactly("0");
        assertThat(lane.statistics().rejections()).isEqualTo(1);
    }

    @Test
    void aGapThatKafkaMadeIsCountedAndPassedOver() throws SQLException {
        store(run(TOPIC, 0, 0, 4, LanePosition.UNKNOWN));
        store(run(TOPIC, 0, 10, 12, 4));
        assertThat(place()).containsExactly("0|12");
        assertThat(lane.statistics().gaps()).isEqualTo(1);
        assertThat(lane.statistics().skipped()).isEqualTo(6);
    }

    @Test
    void aRecreatedTopicIsReadFromItsBeginning() throws SQLException {
        store(run(TOPIC, 0, 0, 4, LanePosition.UNKNOWN));
        LaneOffsets offsets = new LaneOffsets("test", "bmp.lane_offset");
        assertThat(offsets.read(database, "t", TOPIC, 2)).containsOnly(Map.entry(0, LaneOffset.at(4)));
        assertThat(offsets.read(database, "t", OTHER, 2))
                .containsOnly(Map.entry(0, LaneOffset.at(0)), Map.entry(1, LaneOffset.at(0)));
        assertThat(offsets.read(database, "u", OTHER, 2)).isEmpty();
        assertThat(new LaneOffsets("other", "bmp.lane_offset").read(database, "t", TOPIC, 2))
                .isEmpty();
        store(run(OTHER, 0, 0, 3, 0));
        assertThat(query("SELECT count(*) FROM stored")).containsExactly("7");
    }

    @Test
    void aPlaceRemovedByHandIsNotGuessed() throws SQLException {
        store(run(TOPIC, 0, 0, 4, LanePosition.UNKNOWN));
        execute("DELETE FROM bmp.lane_offset");
        assertThatThrownBy(() -> store(run(0, 4, 6)))
                .isInstanceOf(LaneRejectedException.class)
                .hasMessageContaining("has no offset");
        store(run(TOPIC, 0, 4, 6, LanePosition.UNKNOWN)); // a reader that restarted
        assertOnce(0, 0, 6);
    }

    @Test
    void recordsWhoseOffsetCouldNotBeLookedUpAreRejected() {
        assertThatThrownBy(() -> store(run(LanePosition.UNKNOWN_TOPIC, 0, 0, 4, LanePosition.UNKNOWN)))
                .isInstanceOf(LaneRejectedException.class)
                .hasMessageContaining("could not be looked up");
    }

    @Test
    void aReaderThatWentBackIsRejected() throws SQLException {
        store(run(TOPIC, 0, 0, 4, LanePosition.UNKNOWN));
        assertThatThrownBy(() -> store(run(TOPIC, 0, 1, 2, LanePosition.WENT_BACK)))
                .isInstanceOf(LaneRejectedException.class);
    }

    @Test
    void aTopicThatLostItsEndGoesOnThere() throws SQLException {
        store(run(TOPIC, 0, 0, 10, LanePosition.UNKNOWN));
        new LaneOffsets("test", "bmp.lane_offset").stepBack(database, TOPIC, 0, LaneOffset.at(10), 7);
        store(List.of(record(TOPIC, 0, 7, 7, "new")));
        assertThat(place()).containsExactly("0|8");
        assertThat(query("SELECT count(*) FROM stored WHERE what = 'new'")).containsExactly("1");
    }

    /** Records that another writer has stored since the loss was noticed are kept. */
    @Test
    void aPlaceThatHasMovedIsNotSteppedBack() throws SQLException {
        LaneOffsets offsets = new LaneOffsets("test", "bmp.lane_offset");
        store(List.of(at(7, LanePosition.UNKNOWN, 3000), at(8, 8, 1000)));
        LaneOffset before = new LaneOffset(9, 3000);
        assertThat(offsets.read(database, "t", TOPIC, 1)).containsOnly(Map.entry(0, before));
        offsets.stepBack(database, TOPIC, 0, before, 7);
        assertThat(offsets.read(database, "t", TOPIC, 1)).containsOnly(Map.entry(0, new LaneOffset(7, 3000)));
        store(List.of(at(7, 7, 4000), at(8, 8, 4001)));
        offsets.stepBack(database, TOPIC, 0, before, 7);
        assertThat(offsets.read(database, "t", TOPIC, 1)).containsOnly(Map.entry(0, new LaneOffset(9, 4001)));
    }

    private static LaneRecord<String> at(long offset, long follows, long timestamp) {
        return new LaneRecord<>(
                "t-0", new LanePosition("t", TOPIC, 0, offset, follows, timestamp, null), "0/" + offset);
    }

    /** Two writers have the same records, and the older one is between its rows and its commit. */
    @Test
    void ofTwoWritersWithTheSameRecordsOneStoresThem() throws Exception {
        CountDownLatch written = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        Rows slow = new Rows();
        slow.gate = () -> {
            written.countDown();
            go.await();
            return null;
        };
        Lane<String> zombie = lane(TIMING, slow);
        try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
            Future<Long> first =
                    threads.submit(() -> zombie.store(run(TOPIC, 0, 0, 4, LanePosition.UNKNOWN), () -> true));
            written.await();
            Future<Long> second = threads.submit(() -> store(run(TOPIC, 0, 0, 6, LanePosition.UNKNOWN)));
            await().until(() -> query("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
                            + " AND datname = current_database()")
                    .equals(List.of("1")));
            go.countDown();
            assertThat(first.get()).isEqualTo(4);
            assertThat(second.get()).isEqualTo(2);
        }
        assertOnce(0, 0, 6);
        // the zombie wakes again, with what it had read next
        slow.gate = () -> null;
        assertThat(zombie.store(run(0, 4, 6), () -> true)).isZero();
        assertOnce(0, 0, 6);
    }

    /** Readers that restart at the offsets of the table, fail, are cut and fight over the same partitions. */
    @Test
    void manyWritersAtOnceStoreEachRecordOnce() throws Exception {
        int partitions = 3;
        long end = 300;
        LaneOffsets offsets = new LaneOffsets("test", "bmp.lane_offset");
        store(List.of(record(TOPIC, 0, 0, -1, "0/0"), record(TOPIC, 1, 0, -1, "1/0"), record(TOPIC, 2, 0, -1, "2/0")));
        AtomicBoolean over = new AtomicBoolean();
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<Future<Void>> writers = new ArrayList<>();
            for (int writer = 0; writer < 3; writer++) {
                Random random = new Random(writer);
                Rows rows = new Rows();
                rows.gate = () -> {
                    if (random.nextInt(10) == 0) {
                        throw new SQLException("crash before the commit", "57P01");
                    }
                    return null;
                };
                Lane<String> own = lane(TIMING, rows);
                writers.add(threads.submit(() -> {
                    long left = 1;
                    while (left > 0) {
                        List<LaneRecord<String>> batch = new ArrayList<>();
                        left = 0;
                        try {
                            var stored = offsets.read(database, "t", TOPIC, partitions);
                            for (int partition = 0; partition < partitions; partition++) {
                                long from = stored.getOrDefault(partition, LaneOffset.at(0))
                                        .next();
                                left += end - from;
                                batch.addAll(run(partition, from, Math.min(end, from + 1 + random.nextInt(9))));
                            }
                        } catch (SQLException e) {
                            left = 1; // killed while it read: it restarts
                            continue;
                        }
                        if (!batch.isEmpty()) {
                            own.store(batch, () -> true);
                        }
                    }
                    return null;
                }));
            }
            Future<?> killer = threads.submit(() -> {
                while (!over.get()) {
                    query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                            + " WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL"
                            + " ORDER BY random() LIMIT 1");
                }
                return null;
            });
            try {
                for (Future<Void> writer : writers) {
                    writer.get(120, SECONDS);
                }
            } finally {
                over.set(true);
            }
            killer.get();
        }
        for (int partition = 0; partition < partitions; partition++) {
            assertOnce(partition, 0, end);
        }
    }

    @Test
    void whatIsBadIsSetAsideAndItsPlaceIsPassed() throws SQLException {
        store(List.of(record(TOPIC, 0, 0, -1, "a"), record(TOPIC, 0, 1, 1, "bad"), record(TOPIC, 0, 2, 2, "b")));
        assertThat(query("SELECT what FROM stored ORDER BY 1")).containsExactly("a", "b");
        assertThat(query("SELECT what FROM aside")).containsExactly("bad");
        assertThat(place()).containsExactly("0|3");
        assertThat(lane.statistics().recordsSetAside()).isEqualTo(1);
    }

    @Test
    void aTransactionThatTakesTooLongIsCut() throws Exception {
        Rows stuck = new Rows();
        Lane<String> impatient =
                lane(new LaneTiming(Duration.ofSeconds(1), Duration.ofMillis(10), Duration.ofMillis(50)), stuck);
        try (Connection blocker = database.getConnection()) {
            blocker.setAutoCommit(false);
            blocker.createStatement().execute("LOCK TABLE stored IN ACCESS EXCLUSIVE MODE");
            assertThatThrownBy(() -> impatient.write(run(TOPIC, 0, 0, 2, LanePosition.UNKNOWN), () -> true))
                    .isInstanceOf(SQLException.class);
            blocker.rollback();
        }
        impatient.store(run(TOPIC, 0, 0, 2, LanePosition.UNKNOWN), () -> true);
        assertOnce(0, 0, 2);
    }

    /** A database that is so slow that it never comes to the end of more than two records. */
    @Test
    void whatTakesTooLongIsTriedWithFewerRecordsUntilItIsStored() throws Exception {
        Lane<String> slow = new Lane<>(
                "test",
                database,
                new LaneOffsets("test", "bmp.lane_offset"),
                (connection, records) -> transaction -> {
                    LaneRows.insert(transaction, "stored", records);
                    if (records.size() > 2) {
                        transaction.connection().createStatement().execute("SELECT pg_sleep(600)");
                    }
                    return records.size();
                },
                new LaneTiming(Duration.ofSeconds(2), Duration.ofMillis(10), Duration.ofMillis(50)));
        assertThat(slow.store(run(TOPIC, 0, 0, 8, LanePosition.UNKNOWN), () -> true))
                .isEqualTo(8);
        assertOnce(0, 0, 8);
        assertThat(slow.statistics().retries()).isGreaterThanOrEqualTo(2);
        assertThat(slow.statistics().transactions()).isGreaterThanOrEqualTo(4);
    }

    /**
     * Each transaction moves the place, so what is stored stays so when the lane stops in between, or its reader is
     * rejected.
     */
    @Test
    void aListThatIsLargeIsStoredInSomeTransactions() throws Exception {
        AtomicBoolean wanted = new AtomicBoolean(true);
        Lane<String> lane = new Lane<>(
                "test",
                database,
                new LaneOffsets("test", "bmp.lane_offset"),
                new LaneWriter<>() {
                    @Override
                    public Prepared prepare(Connection connection, List<LaneRecord<String>> records) {
                        return transaction -> {
                            LaneRows.insert(transaction, "stored", records);
                            wanted.set(!records.getLast().value().equals("0/7"));
                            return records.size();
                        };
                    }

                    @Override
                    public long rows(String value) {
                        return LaneParts.MOST_ROWS / 2;
                    }
                },
                TIMING);
        assertThat(lane.store(run(TOPIC, 0, 0, 5, LanePosition.UNKNOWN), wanted::get))
                .isEqualTo(5);
        assertThat(lane.statistics().transactions()).isEqualTo(3);
        assertThatThrownBy(() -> lane.store(run(0, 4, 12), wanted::get)).isInstanceOf(LaneStoppedException.class);
        assertOnce(0, 0, 8);
        assertThat(place()).containsExactly("0|8");
        assertThat(lane.store(run(0, 8, 12), () -> true)).isEqualTo(4);
        assertOnce(0, 0, 12);
    }

    /** The pool of the station: it must detect that the connection is closed, and open another. */
    @Test
    void aPooledConnectionIsCutAndReplaced() throws Exception {
        AgroalDataSourceConfigurationSupplier settings = new AgroalDataSourceConfigurationSupplier();
        settings.connectionPoolConfiguration()
                .maxSize(1)
                .exceptionSorter(new PostgreSQLExceptionSorter())
                .connectionFactoryConfiguration()
                .jdbcUrl(TestPostgres.url(database))
                .principal(new NamePrincipal("silkroute"));
        LaneTiming timing = new LaneTiming(Duration.ofSeconds(1), Duration.ofMillis(10), Duration.ofMillis(50));
        try (AgroalDataSource pool = AgroalDataSource.from(settings);
                Connection blocker = database.getConnection();
                ExecutorService threads = Executors.newFixedThreadPool(1)) {
            Lane<String> pooled =
                    new Lane<>("test", pool, new LaneOffsets("test", "bmp.lane_offset"), new Rows(), timing);
            blocker.setAutoCommit(false);
            blocker.createStatement().execute("LOCK TABLE stored IN ACCESS EXCLUSIVE MODE");
            Future<Long> storing =
                    threads.submit(() -> pooled.store(run(TOPIC, 0, 0, 2, LanePosition.UNKNOWN), () -> true));
            await().until(() -> pooled.statistics().retries() >= 2);
            blocker.rollback();
            assertThat(storing.get(30, SECONDS)).isEqualTo(2);
        }
        assertOnce(0, 0, 2);
    }

    @Test
    void atAStopABlockedTransactionIsCutAndNotTriedAgain() throws Exception {
        AtomicBoolean wanted = new AtomicBoolean(true);
        try (Connection blocker = database.getConnection();
                ExecutorService threads = Executors.newFixedThreadPool(1)) {
            blocker.setAutoCommit(false);
            blocker.createStatement().execute("LOCK TABLE stored IN ACCESS EXCLUSIVE MODE");
            Future<Long> storing =
                    threads.submit(() -> lane.store(run(TOPIC, 0, 0, 2, LanePosition.UNKNOWN), wanted::get));
            await().until(() -> query("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
                            + " AND datname = current_database()")
                    .equals(List.of("1")));
            wanted.set(false);
            assertThatThrownBy(() -> storing.get(10, SECONDS)).hasCauseInstanceOf(SQLException.class);
            blocker.rollback();
        }
        assertThat(query("SELECT count(*) FROM stored")).containsExactly("0");
    }

    /**
     * One unit of one record takes for ever: all others are stored, and later records of other sources are not slowed.
     */
    @Test
    void aUnitThatIsNeverStoredInTimeIsSetAsideAndTheLaneGoesOn() throws Exception {
        LaneWriter<String> words = new LaneWriter<>() {
            @Override
            public Prepared prepare(Connection connection, List<LaneRecord<String>> records) {
                return transaction -> {
                    for (LaneRecord<String> record : records) {
                        for (String word : record.value().split(" ")) {
                            if (word.equals("slow")) {
                                transaction.connection().createStatement().execute("SELECT pg_sleep(600)");
                            }
                            LaneRows.insert(transaction, "stored", List.of(new LaneRecord<>("", null, word)));
                        }
                    }
                    return records.size();
                };
            }

            @Override
            public int units(String value) {
                return value.split(" ").length;
            }

            @Override
            public String part(String value, int from, int to) {
                return String.join(" ", List.of(value.split(" ")).subList(from, to));
            }

            @Override
            public boolean setsAside() {
                return true;
            }

            @Override
            public void setAside(LaneTransaction transaction, LaneRecord<String> record, Exception problem)
                    throws SQLException {
                LaneRows.insert(
                        transaction, "aside", List.of(new LaneRecord<>("", null, record.id() + " " + record.value())));
            }
        };
        Lane<String> lane = new Lane<>(
                "test",
                database,
                new LaneOffsets("test", "bmp.lane_offset"),
                words,
                new LaneTiming(Duration.ofSeconds(16), Duration.ofMillis(10), Duration.ofMillis(50)));
        lane.store(
                List.of(
                        record(TOPIC, 0, 0, LanePosition.UNKNOWN, "a b"),
                        record(TOPIC, 0, 1, 1, "c d e slow f g h i"),
                        record(TOPIC, 0, 2, 2, "k bad")),
                () -> true);
        assertThat(query("SELECT string_agg(what, ' ') FROM stored")).containsExactly("a b c d e f g h i k");
        assertThat(query("SELECT what FROM aside ORDER BY 1")).containsExactly("t-0#1-1 bad", "t-0#3-3 slow");
        assertThat(query("SELECT next_offset, next_unit FROM bmp.lane_offset")).containsExactly("3|0");
        assertThat(lane.statistics().unitsSetAside()).isEqualTo(2);
    }

    /** A station that is killed within a record continues there. */
    @Test
    void aRecordThatIsPartlyStoredIsContinued() throws Exception {
        store(run(TOPIC, 0, 0, 1, LanePosition.UNKNOWN));
        execute("UPDATE bmp.lane_offset SET next_unit = 2");
        LaneWriter<String> letters = new LaneWriter<>() {
            @Override
            public Prepared prepare(Connection connection, List<LaneRecord<String>> records) {
                return transaction -> {
                    LaneRows.insert(transaction, "stored", records);
                    return records.size();
                };
            }

            @Override
            public int units(String value) {
                return value.length();
            }

            @Override
            public String part(String value, int from, int to) {
                return value.substring(from, to);
            }

            @Override
            public boolean setsAside() {
                return true;
            }
        };
        new Lane<>("test", database, new LaneOffsets("test", "bmp.lane_offset"), letters, TIMING)
                .store(List.of(record(TOPIC, 0, 1, 1, "abcd"), record(TOPIC, 0, 2, 2, "ef")), () -> true);
        assertThat(query("SELECT what FROM stored ORDER BY 1")).containsExactly("0/0", "cd", "ef");
        assertThat(query("SELECT next_offset, next_unit FROM bmp.lane_offset")).containsExactly("3|0");
    }
}
