package dev.silkroute.app.store;

import dev.silkroute.postgres.LaneRecord;
import dev.silkroute.postgres.RouteLane;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.sql.SQLException;
import java.util.List;
import org.apache.camel.Exchange;

/** What the steps of {@code history.yaml} and {@code current.yaml} call: store a batch, then commit it. */
public final class StoreLane {
    private final RouteLane lane;
    private final Counter rows;
    private final Counter records;

    StoreLane(String name, RouteLane lane, MeterRegistry meters) {
        this.lane = lane;
        rows = Counter.builder("pgcopy_rows")
                .description("Rows written to PostgreSQL")
                .tag("lane", name)
                .register(meters);
        records = Counter.builder("pgcopy_records")
                .description("Kafka records stored in PostgreSQL")
                .tag("lane", name)
                .register(meters);
    }

    /** Stores the records of a batch of {@code bmp.routes}, all or none of them. */
    public void write(Exchange batch) throws SQLException {
        List<LaneRecord> list = KafkaRecords.of(batch);
        rows.increment(lane.write(list));
        records.increment(list.size());
    }
}
