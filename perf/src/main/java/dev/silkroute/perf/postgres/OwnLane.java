package dev.silkroute.perf.postgres;

import dev.silkroute.postgres.AttributeSets;
import dev.silkroute.postgres.BatchWriter;
import dev.silkroute.postgres.CurrentStateWriter;
import dev.silkroute.postgres.DimensionCache;
import dev.silkroute.postgres.HistoryWriter;
import dev.silkroute.postgres.LaneRecord;
import dev.silkroute.postgres.LaneTransaction;
import dev.silkroute.postgres.RouteLane;
import dev.silkroute.route.RouteBatch;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** A lane of the station: records in, rows and offsets out. The one place that knows how the station's lanes are called. */
public final class OwnLane {
    private static final int REMEMBERED_PEERS = 100_000;
    private static final int REMEMBERED_SETS = 2_000_000;

    private final RouteLane lane;
    private long offset;

    private OwnLane(DataSource database, BatchWriter writer) {
        lane = new RouteLane(database, writer);
    }

    public static OwnLane history(DataSource database, AttributeSets attributes) {
        return new OwnLane(database, new HistoryWriter(new DimensionCache(REMEMBERED_PEERS), attributes));
    }

    public static OwnLane currentState(DataSource database, AttributeSets attributes) {
        return new OwnLane(database, new CurrentStateWriter(new DimensionCache(REMEMBERED_PEERS), attributes));
    }

    /** What a lane remembers that has written these feeds; writes their attribute sets, where they aren't there. */
    public static AttributeSets setsOf(Database database, List<Feed> written) throws SQLException {
        AttributeSets attributes = new AttributeSets(REMEMBERED_SETS);
        try (Connection connection = database.source().getConnection()) {
            for (Feed feed : written) {
                for (List<byte[]> records : feed.transactions()) {
                    List<RouteBatch> batches =
                            records.stream().map(RouteBatch::read).toList();
                    LaneTransaction.run(connection, transaction -> {
                        attributes.write(transaction, batches);
                        return batches.size();
                    });
                }
            }
        }
        return attributes;
    }

    /** One transaction. */
    public void write(List<byte[]> records) throws SQLException {
        List<LaneRecord> list = new ArrayList<>(records.size());
        for (byte[] record : records) {
            list.add(new LaneRecord("bmp.routes-0@" + offset++, record));
        }
        lane.write(list);
    }

    public void write(Feed feed) throws SQLException {
        for (List<byte[]> transaction : feed.transactions()) {
            write(transaction);
        }
    }
}
