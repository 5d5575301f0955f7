package dev.silkroute.postgres.lane;

import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.WireFormatException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Stores the records of {@code bmp.routes}. A record that cannot be read or stored goes to quarantine. Usable by
 * several threads at once, each with its own connection.
 */
public abstract class RouteBatchWriter implements LaneWriter<byte[]> {
    /**
     * Prepares what the batches refer to and what may be kept if their transaction fails: the ids of routers and peers,
     * partitions, attribute sets. Each statement commits by itself, so that ids can be cached at once and no lock is
     * held for the duration of a large transaction.
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

    @Override
    public final boolean setsAside() {
        return true;
    }

    @Override
    public final void setAside(LaneTransaction transaction, LaneRecord<byte[]> record, Exception problem)
            throws SQLException {
        if (problem instanceof WireFormatException malformed) {
            Quarantine.add(transaction, record, malformed.reason(), malformed.offset());
        } else {
            String reason = problem.getMessage() == null ? problem.toString() : problem.getMessage();
            Quarantine.add(transaction, record, reason, Quarantine.NO_OFFSET);
        }
    }
}
