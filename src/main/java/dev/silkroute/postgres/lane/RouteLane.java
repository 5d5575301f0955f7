package dev.silkroute.postgres.lane;

import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.WireFormatException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** The records of {@code bmp.routes} for a {@link BatchWriter}. What it can't store goes to quarantine. */
public final class RouteLane implements LaneWriter<byte[]> {
    private final BatchWriter writer;

    public RouteLane(BatchWriter writer) {
        this.writer = writer;
    }

    @Override
    public Prepared prepare(Connection connection, List<LaneRecord<byte[]>> records) throws SQLException {
        List<RouteBatch> batches = new ArrayList<>(records.size());
        for (LaneRecord<byte[]> record : records) {
            batches.add(RouteBatch.read(record.value()));
        }
        return writer.prepare(connection, batches);
    }

    /** A kibibyte of BMP can be a thousand events, whether of one route or of many. */
    @Override
    public long rows(byte[] record) {
        return RouteBatch.peekEventCount(record);
    }

    @Override
    public boolean setsAside() {
        return true;
    }

    @Override
    public void setAside(LaneTransaction transaction, LaneRecord<byte[]> record, Exception problem)
            throws SQLException {
        if (problem instanceof WireFormatException bad) {
            Quarantine.add(transaction, record, bad.reason(), bad.offset());
        } else {
            String reason = problem.getMessage() == null ? problem.toString() : problem.getMessage();
            Quarantine.add(transaction, record, reason, Quarantine.NO_OFFSET);
        }
    }
}
