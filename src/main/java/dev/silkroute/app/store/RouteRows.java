package dev.silkroute.app.store;

import dev.silkroute.postgres.lane.BatchWriter;
import dev.silkroute.postgres.lane.LaneWriter;
import dev.silkroute.postgres.lane.RouteLane;
import dev.silkroute.postgres.lane.RowSource;
import java.util.function.Function;

/** Records of {@code bmp.routes} as rows. */
final class RouteRows implements RowSource<byte[]> {
    private final Function<String, BatchWriter> writers;

    /** @param writers makes the writer into a table */
    RouteRows(Function<String, BatchWriter> writers) {
        this.writers = writers;
    }

    @Override
    public Class<byte[]> valueType() {
        return byte[].class;
    }

    @Override
    public LaneWriter<byte[]> into(String table) {
        return new RouteLane(writers.apply(table));
    }
}
