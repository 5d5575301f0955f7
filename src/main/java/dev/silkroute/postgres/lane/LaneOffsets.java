package dev.silkroute.postgres.lane;

import dev.silkroute.postgres.copy.DatabaseIdentity;
import dev.silkroute.postgres.copy.Sql;
import java.sql.Array;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/**
 * The offsets of a lane, in a table beside the rows: one row for each partition contains the offset of the next
 * record. It is locked, compared and advanced in the transaction that stores the records, so that each record is
 * stored exactly once, however often and by whichever consumer it is delivered.
 *
 * <p>The table: {@code (lane text, topic text, topic_id uuid, kafka_partition integer, next_offset bigint,
 * max_timestamp_ms bigint, next_unit integer NOT NULL DEFAULT 0)} with the primary key {@code (lane, topic_id,
 * kafka_partition)}. {@code next_unit} is the number of units of the record at {@code next_offset} that are stored.
 * Usable by several threads at once.
 */
public final class LaneOffsets {
    private static final Pattern TABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_$]*(\\.[A-Za-z_][A-Za-z0-9_$]*)?");

    /** The column is optional: only lanes whose writer splits records need it. */
    private static final String NEXT_UNIT = "coalesce(CAST(to_jsonb(o)->>'next_unit' AS integer), 0)";

    /** The timeout of the statements outside the lane's transactions. */
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final String lane;
    private final String lock;
    private final String make;
    private final String move;
    private final String lower;
    private final String find;
    private final String units;
    private final String moveUnits;

    /** The database that each consumer has used last; a consumer has a thread of its own. */
    private final ThreadLocal<DatabaseIdentity> database = new ThreadLocal<>();

    /** @param table the table's name, with or without its schema */
    public LaneOffsets(String lane, String table) {
        if (!TABLE.matcher(table).matches()) {
            throw new IllegalArgumentException("'" + table + "' is not a valid table name");
        }
        this.lane = lane;
        lock = "SELECT topic_id, kafka_partition, next_offset, " + NEXT_UNIT + " FROM " + table + " o WHERE lane = ?"
                + " AND (topic_id, kafka_partition) IN (SELECT * FROM unnest(CAST(? AS uuid[]), CAST(? AS integer[])))"
                + " ORDER BY topic_id, kafka_partition FOR UPDATE";
        make = "INSERT INTO " + table + " (lane, topic, topic_id, kafka_partition, next_offset) VALUES (?, ?, ?, ?, ?)"
                + " ON CONFLICT DO NOTHING";
        move = "UPDATE " + table
                + " o SET next_offset = n.next_offset, max_timestamp_ms = nullif(greatest(o.max_timestamp_ms,"
                + " n.max_timestamp_ms), -1) FROM unnest(CAST(? AS uuid[]), CAST(? AS integer[]), CAST(? AS bigint[]),"
                + " CAST(? AS bigint[])) n (topic_id, kafka_partition, next_offset, max_timestamp_ms) WHERE o.lane = ?"
                + " AND o.topic_id = n.topic_id AND o.kafka_partition = n.kafka_partition";
        lower = "UPDATE " + table + " SET next_offset = ? WHERE lane = ? AND topic_id = ? AND kafka_partition = ?"
                + " AND next_offset = ? AND coalesce(max_timestamp_ms, -1) = ?";
        units = "SELECT " + NEXT_UNIT + " FROM " + table
                + " o WHERE lane = ? AND topic_id = ? AND kafka_partition = ? AND next_offset = ?";
        moveUnits = "UPDATE " + table
                + " SET next_unit = ?, next_offset = greatest(next_offset, ?) WHERE lane = ? AND topic_id = ? AND kafka_partition = ?";
        find = "SELECT topic_id, kafka_partition, next_offset, coalesce(max_timestamp_ms, -1) FROM " + table
                + " WHERE lane = ? AND topic = ?";
    }

    /** The records of a run that are to be stored, and the lane's offsets after them. */
    static final class Claim<T> {
        private final List<LaneRecord<T>> fresh = new ArrayList<>();
        private final Map<Partition, ClaimedOffset> offsets = new LinkedHashMap<>();
        private final List<LaneGap> gaps = new ArrayList<>();
        /** The gaps that follow a record of this claim. */
        private final List<LaneGap> innerGaps = new ArrayList<>();

        /** The records that are not stored yet, in their order. */
        List<LaneRecord<T>> fresh() {
            return fresh;
        }

        /** The records between the lane's offsets and the next records, which had expired. */
        List<LaneGap> gaps() {
            return gaps;
        }

        /** Returns whether a part of the first record of a partition is already stored. */
        boolean continuesRecord() {
            return fresh.stream().anyMatch(record -> unitsStored(record) > 0);
        }

        /** The gaps that follow a record of this claim. */
        List<LaneGap> innerGaps() {
            return innerGaps;
        }

        /** The number of units of a claimed record that are already stored. */
        int unitsStored(LaneRecord<T> record) {
            LanePosition position = positionOf(record);
            ClaimedOffset claimed = offsets.get(new Partition(position.topicId(), position.partition()));
            return claimed == null || position.offset() != claimed.before ? 0 : claimed.unitsBefore;
        }
    }

    private record Partition(UUID topicId, int number) {}

    private static final class ClaimedOffset {
        private final long before;
        private final int unitsBefore;
        private long next;
        private long newest = LanePosition.NO_TIME;

        private ClaimedOffset(long next, int units) {
            this.before = next;
            this.next = next;
            unitsBefore = units;
        }
    }

    public String lane() {
        return lane;
    }

    /**
     * Reads the offsets at which to begin reading a topic.
     *
     * @return the offsets by partition: offset 0 for all if the topic has replaced another one of the same name; empty
     *     if the lane has never stored a record of it
     */
    public Map<Integer, LaneOffset> read(DataSource database, String topic, UUID topicId, int partitions)
            throws SQLException {
        Map<UUID, Map<Integer, LaneOffset>> byTopic = new HashMap<>();
        try (Connection connection = database.getConnection();
                Watch watch = Watch.over(connection, TIMEOUT, () -> true)) {
            this.database.set(DatabaseIdentity.of(connection));
            Sql.query(
                    connection,
                    find,
                    row -> byTopic.computeIfAbsent(row.getObject(1, UUID.class), _ -> new HashMap<>())
                            .put(row.getInt(2), new LaneOffset(row.getLong(3), row.getLong(4))),
                    lane,
                    topic);
        }
        Map<Integer, LaneOffset> offsets = byTopic.computeIfAbsent(topicId, _ -> new HashMap<>());
        if (byTopic.size() > 1 && offsets.isEmpty()) {
            for (int partition = 0; partition < partitions; partition++) {
                offsets.put(partition, LaneOffset.at(0));
            }
        }
        return offsets;
    }

    /**
     * Moves the offset of a partition back to where Kafka has lost records that are already stored: records at later
     * offsets are new. Does nothing if the offset is not {@code from} any more, because another consumer has moved it.
     */
    public void stepBack(DataSource database, UUID topicId, int partition, LaneOffset from, long to)
            throws SQLException {
        try (Connection connection = database.getConnection();
                Watch watch = Watch.over(connection, TIMEOUT, () -> true)) {
            Sql.update(connection, lower, to, lane, topicId, partition, from.next(), from.newest());
        }
    }

    /**
     * Locks the offsets of the records' partitions until the end of the transaction, and selects the records that are
     * not stored yet.
     *
     * @throws LaneRejectedException if the records do not continue at the lane's offset
     */
    <T> Claim<T> claim(LaneTransaction transaction, List<LaneRecord<T>> records) throws SQLException {
        requireSame(DatabaseIdentity.of(transaction.connection()));
        Claim<T> claim = new Claim<>();
        Map<Partition, LanePosition> firsts = new LinkedHashMap<>();
        for (LaneRecord<T> record : records) {
            LanePosition position = positionOf(record);
            firsts.putIfAbsent(new Partition(position.topicId(), position.partition()), position);
        }
        lock(transaction.connection(), firsts, claim.offsets);
        if (claim.offsets.size() < firsts.size()) {
            makeMissing(transaction.connection(), firsts, claim.offsets);
            lock(transaction.connection(), firsts, claim.offsets); // what others made at the same time included
        }
        for (LaneRecord<T> record : records) {
            take(claim, record, positionOf(record));
        }
        return claim;
    }

    /**
     * Makes the consumer of the current thread look up its offsets again if the database has been restarted or replaced
     * since it used it last. For a consumer that has nothing to store, and would not notice it otherwise.
     *
     * @throws LaneRejectedException if it has
     * @throws SQLException if the database is unavailable
     */
    public void requireSameDatabase(DataSource from) throws SQLException {
        try (Connection connection = from.getConnection();
                Watch watch = Watch.over(connection, TIMEOUT, () -> true)) {
            requireSame(DatabaseIdentity.current(connection));
        }
    }

    /**
     * Makes a consumer look up its offsets again when it continues with another database, which may lack rows of
     * partitions in which nothing new arrives.
     */
    private void requireSame(DatabaseIdentity identity) {
        DatabaseIdentity before = database.get();
        database.set(identity);
        if (before != null && !before.equals(identity)) {
            throw new LaneRejectedException(
                    "the database of lane " + lane + " has been restarted or replaced: its offsets are read again");
        }
    }

    private static LanePosition positionOf(LaneRecord<?> record) {
        LanePosition position = record.position();
        if (position == null) {
            throw new LaneRejectedException(record.id() + " has no position, so the lane cannot store it");
        }
        if (position.topicId().equals(LanePosition.UNKNOWN_TOPIC)) {
            throw new LaneRejectedException("the lane's offset before " + position
                    + " could not be looked up, because Kafka or the database was unavailable");
        }
        return position;
    }

    private void lock(Connection connection, Map<Partition, LanePosition> firsts, Map<Partition, ClaimedOffset> offsets)
            throws SQLException {
        Sql.query(
                connection,
                lock,
                row -> {
                    Partition partition = new Partition(row.getObject(1, UUID.class), row.getInt(2));
                    if (firsts.containsKey(partition)) {
                        offsets.put(partition, new ClaimedOffset(row.getLong(3), row.getInt(4)));
                    }
                },
                lane,
                topicIds(connection, firsts.keySet()),
                numbers(connection, firsts.keySet()));
    }

    /**
     * Inserts the offsets of partitions that are new to the lane: each begins with the first record that its reader
     * received.
     */
    private void makeMissing(
            Connection connection, Map<Partition, LanePosition> firsts, Map<Partition, ClaimedOffset> offsets)
            throws SQLException {
        for (Map.Entry<Partition, LanePosition> missing : firsts.entrySet()) {
            LanePosition first = missing.getValue();
            if (offsets.containsKey(missing.getKey())) {
                continue;
            }
            if (first.follows() > 0 || first.follows() == LanePosition.WENT_BACK) {
                throw new LaneRejectedException("lane " + lane + " has no offset for " + first.topic() + "-"
                        + first.partition() + " any more, so whether records after offset " + first.follows()
                        + " are already stored is unknown");
            }
            long next = first.follows() == 0 ? 0 : first.offset();
            Sql.update(connection, make, lane, first.topic(), first.topicId(), first.partition(), next);
        }
    }

    private <T> void take(Claim<T> claim, LaneRecord<T> record, LanePosition position) {
        ClaimedOffset claimed = claim.offsets.get(new Partition(position.topicId(), position.partition()));
        if (claimed == null) {
            throw new LaneRejectedException("lane " + lane + " has no offset for " + position);
        }
        if (position.follows() == LanePosition.WENT_BACK) {
            throw new LaneRejectedException(position + " came after later records of its partition");
        }
        if (position.offset() < claimed.next) {
            return; // already stored
        }
        long follows = position.follows() == LanePosition.UNKNOWN ? position.offset() : position.follows();
        if (follows > claimed.next) {
            throw new LaneRejectedException("lane " + lane + " is at offset " + claimed.next
                    + " and cannot continue with " + position + ", which follows " + follows);
        }
        if (position.offset() > claimed.next) {
            LaneGap gap = new LaneGap(
                    position.topic(), position.partition(), claimed.next, position.offset(), position.partitionOf());
            claim.gaps.add(gap);
            if (claimed.next != claimed.before) {
                claim.innerGaps.add(gap);
            }
        }
        claim.fresh.add(record);
        claimed.next = position.offset() + 1;
        claimed.newest = Math.max(claimed.newest, position.newest());
    }

    /** Advances the offsets past the claimed records. */
    void advance(LaneTransaction transaction, Claim<?> claim) throws SQLException {
        List<Partition> moved = new ArrayList<>();
        List<Long> next = new ArrayList<>();
        List<Long> newest = new ArrayList<>();
        claim.offsets.forEach((partition, claimed) -> {
            if (claimed.next != claimed.before) {
                moved.add(partition);
                next.add(claimed.next);
                newest.add(claimed.newest);
            }
        });
        if (moved.isEmpty()) {
            return;
        }
        Connection connection = transaction.connection();
        long count = Sql.update(
                connection,
                move,
                topicIds(connection, moved),
                numbers(connection, moved),
                Sql.array(connection, "bigint", next),
                Sql.array(connection, "bigint", newest),
                lane);
        for (Map.Entry<Partition, ClaimedOffset> entry : claim.offsets.entrySet()) {
            ClaimedOffset claimed = entry.getValue();
            if (claimed.unitsBefore > 0 && claimed.next != claimed.before) {
                Partition partition = entry.getKey();
                Sql.update(connection, moveUnits, 0, claimed.next, lane, partition.topicId(), partition.number());
            }
        }
        if (count != moved.size()) {
            throw new LaneRejectedException(
                    "lane " + lane + " could advance only " + count + " of " + moved.size() + " partitions");
        }
    }

    /** Returns the number of units of a record that are already stored. */
    int unitsStored(Connection connection, LaneRecord<?> record) throws SQLException {
        LanePosition position = positionOf(record);
        return Sql.first(
                        connection,
                        units,
                        row -> row.getInt(1),
                        lane,
                        position.topicId(),
                        position.partition(),
                        position.offset())
                .orElse(0);
    }

    /** Records how many units of a claimed record are stored, while the offset is at the record. */
    void advanceUnits(LaneTransaction transaction, LaneRecord<?> record, int stored) throws SQLException {
        LanePosition position = positionOf(record);
        Sql.update(
                transaction.connection(),
                moveUnits,
                stored,
                position.offset(),
                lane,
                position.topicId(),
                position.partition());
    }

    private static Array topicIds(Connection connection, Collection<Partition> partitions) throws SQLException {
        return Sql.array(
                connection, "uuid", partitions.stream().map(Partition::topicId).toList());
    }

    private static Array numbers(Connection connection, Collection<Partition> partitions) throws SQLException {
        return Sql.array(
                connection,
                "integer",
                partitions.stream().map(Partition::number).toList());
    }
}
