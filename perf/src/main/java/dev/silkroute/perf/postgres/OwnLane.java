package dev.silkroute.perf.postgres;

import dev.silkroute.postgres.dimension.AttributeSets;
import dev.silkroute.postgres.dimension.DimensionCache;
import dev.silkroute.postgres.history.HistoryWriter;
import dev.silkroute.postgres.lane.Lane;
import dev.silkroute.postgres.lane.LaneOffsets;
import dev.silkroute.postgres.lane.LanePosition;
import dev.silkroute.postgres.lane.LaneRecord;
import dev.silkroute.postgres.lane.LaneTiming;
import dev.silkroute.postgres.lane.RouteBatchWriter;
import dev.silkroute.postgres.state.CurrentStateWriter;
import dev.silkroute.route.RouteBatch;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;

/** A lane of the station: reads records, writes rows and offsets. The only class that calls the station's lane code. */
public final class OwnLane {
    private static final int REMEMBERED_PEERS = 100_000;
    private static final int REMEMBERED_SETS = 2_000_000;

    private static final String TOPIC = "bmp.routes";

    private final Lane<byte[]> lane;

    /** A separate topic, so that the lane starts from the beginning whatever the database contains. */
    private final UUID topicId = UUID.randomUUID();

    private long offset;

    private OwnLane(String name, DataSource database, RouteBatchWriter writer) {
        LaneOffsets offsets = new LaneOffsets(name, "bmp.lane_offset");
        lane = new Lane<>(name, database, offsets, writer, LaneTiming.DEFAULT);
    }

    public static OwnLane history(DataSource database, AttributeSets attributes) {
        return new OwnLane("history", database, new HistoryWriter(new DimensionCache(REMEMBERED_PEERS), attributes));
    }

    public static OwnLane currentState(DataSource database, AttributeSets attributes) {
        return new OwnLane(
                "current", database, new CurrentStateWriter(new DimensionCache(REMEMBERED_PEERS), attributes));
    }

    /**
     * Returns the attribute sets that a lane remembers after writing these feeds, and writes those that are missing.
     */
    public static AttributeSets setsOf(Database database, List<TransactionFeed> written) throws SQLException {
        AttributeSets attributes = new AttributeSets(REMEMBERED_SETS);
        try (Connection connection = database.source().getConnection()) {
            for (TransactionFeed feed : written) {
                for (List<byte[]> records : feed.transactions()) {
                    List<RouteBatch> batches =
                            records.stream().map(RouteBatch::read).toList();
                    attributes.write(connection, batches).run();
                }
            }
        }
        return attributes;
    }

    /** One transaction. */
    private void write(List<byte[]> records) throws SQLException {
        List<LaneRecord<byte[]>> list = new ArrayList<>(records.size());
        for (byte[] record : records) {
            long follows = offset == 0 ? LanePosition.UNKNOWN : offset;
            LanePosition position = new LanePosition(TOPIC, topicId, 0, offset++, follows);
            list.add(new LaneRecord<>(position.toString(), position, record));
        }
        lane.write(list, () -> true);
    }

    public void write(TransactionFeed feed) throws SQLException {
        for (List<byte[]> transaction : feed.transactions()) {
            write(transaction);
        }
    }
}
