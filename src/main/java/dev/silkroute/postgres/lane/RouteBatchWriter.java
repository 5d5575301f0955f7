package dev.silkroute.postgres.lane;

import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.RouteCursor;
import dev.silkroute.route.WireFormatException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Stores the records of {@code bmp.routes}. A record that cannot be read or stored goes to quarantine. Usable by
 * several threads at once, each with its own connection.
 */
public abstract class RouteBatchWriter implements LaneWriter<byte[]> {
    private static final System.Logger LOGGER = System.getLogger(RouteBatchWriter.class.getName());

    /**
     * Prepares what the batches refer to and what may be kept if their transaction fails: the ids of routers and
     * peers, partitions, attribute sets. Each statement commits by itself, so that ids can be cached at once and no
     * lock is held for the duration of a large transaction.
     *
     * @param connection in auto-commit mode, which it keeps; the batches must be written through it too
     * @param batches in the order of their topic
     * @return writes all batches
     */
    public abstract Prepared prepareBatches(Connection connection, List<RouteBatch> batches) throws SQLException;

    @Override
    public final Prepared prepare(Connection connection, List<LaneRecord<byte[]>> records) throws SQLException {
        List<RouteBatch> batches = new ArrayList<>(records.size());
        for (LaneRecord<byte[]> record : records) {
            batches.add(RouteBatch.read(record.value()));
        }
        return prepareBatches(connection, batches);
    }

    /** The number of events: a kibibyte of BMP may contain a thousand of them. */
    @Override
    public final long rows(byte[] record) {
        return RouteBatch.peekEventCount(record);
    }

    /**
     * The number of events. A batch that was decoded again replaces the rows of its messages, so it is indivisible,
     * and so is one that cannot be read.
     */
    @Override
    public final int units(byte[] record) {
        RouteBatch batch = readable(record);
        return batch == null || batch.redecoded() ? 1 : batch.eventCount();
    }

    private static @Nullable RouteBatch readable(byte[] record) {
        try {
            return RouteBatch.read(record);
        } catch (WireFormatException e) {
            return null;
        }
    }

    @Override
    public final byte[] part(byte[] record, int from, int to) {
        return RouteBatch.read(record).part(from, to);
    }

    /** The router. */
    @Override
    public final @Nullable String source(byte[] record) {
        return RouteBatch.peekRouter(record);
    }

    @Override
    public final boolean setsAside() {
        return true;
    }

    @Override
    public final void setAside(LaneTransaction transaction, LaneRecord<byte[]> record, Exception problem)
            throws SQLException {
        RouteBatch batch = readable(record.value());
        String reason = problem.getMessage() == null ? problem.toString() : problem.getMessage();
        if (problem instanceof WireFormatException malformed) {
            Quarantine.add(transaction, record, malformed.reason(), malformed.offset());
        } else if (batch == null) {
            Quarantine.add(transaction, record, reason, Quarantine.NO_OFFSET);
        } else {
            Quarantine.add(transaction, record, reason, batch);
        }
        if (batch != null && !batch.redecoded()) {
            setAside(transaction, batch);
            transaction.afterCommit(() -> logSpan(record.id(), batch));
        }
    }

    /** Records in the transaction that the events of a batch are missing. */
    protected void setAside(LaneTransaction transaction, RouteBatch batch) throws SQLException {}

    private void logSpan(String id, RouteBatch batch) {
        RouteCursor event = batch.cursor();
        long first = event.next() ? event.sequence() >> 16 : 0;
        long last = first;
        while (event.next()) {
            last = event.sequence() >> 16;
        }
        LOGGER.log(
                System.Logger.Level.ERROR,
                "Routes of router {0} are missing in table {1}: record {2} was set aside, {3} events of messages {4} to {5}"
                        + " of session {6}, received at {7}",
                batch.router(),
                table(),
                id,
                Integer.toString(batch.eventCount()),
                Long.toString(first),
                Long.toString(last),
                Long.toString(batch.sessionId()),
                Instant.EPOCH.plus(batch.receivedAtMicros(), ChronoUnit.MICROS).toString());
    }

    /** The table that the writer fills, for messages. */
    protected abstract String table();
}
