package dev.silkroute.component.pgcopy;

import dev.silkroute.component.Databases;
import dev.silkroute.postgres.lane.JsonRows;
import dev.silkroute.postgres.lane.Lane;
import dev.silkroute.postgres.lane.LaneOffsets;
import dev.silkroute.postgres.lane.LaneStatistics;
import dev.silkroute.postgres.lane.LaneTiming;
import dev.silkroute.postgres.lane.RowSource;
import java.util.Objects;
import java.util.function.ToLongFunction;
import org.apache.camel.Category;
import org.apache.camel.Consumer;
import org.apache.camel.Processor;
import org.apache.camel.Producer;
import org.apache.camel.api.management.ManagedAttribute;
import org.apache.camel.api.management.ManagedResource;
import org.apache.camel.spi.UriEndpoint;
import org.apache.camel.spi.UriParam;
import org.apache.camel.support.DefaultEndpoint;
import org.jspecify.annotations.Nullable;

/** Stores records in a PostgreSQL table, those of a lane exactly once. */
@ManagedResource(description = "Managed pgcopy endpoint")
@UriEndpoint(
        firstVersion = "0.1.0",
        scheme = "pgcopy",
        title = "PostgreSQL COPY",
        syntax = "pgcopy:table",
        producerOnly = true,
        category = {Category.DATABASE},
        headersClass = PgCopyConstants.class)
public class PgCopyEndpoint extends DefaultEndpoint {
    @UriParam
    private final PgCopyConfiguration configuration;

    private @Nullable Lane<?> lane;

    public PgCopyEndpoint(String uri, PgCopyComponent component, PgCopyConfiguration configuration) {
        super(uri, component);
        this.configuration = configuration;
    }

    public PgCopyConfiguration getConfiguration() {
        return configuration;
    }

    @Override
    public Producer createProducer() {
        RowSource<?> rows = configuration.getRows();
        String function = configuration.getFunction();
        if ((rows == null) == (function == null)) {
            throw new IllegalArgumentException(
                    "pgcopy:" + configuration.getTable() + " requires either the option rows or the option function");
        }
        String prepare = configuration.getPrepare();
        if (function == null && prepare != null) {
            throw new IllegalArgumentException("pgcopy:" + configuration.getTable()
                    + " has the option prepare, which requires the option function");
        }
        return function == null ? producer(Objects.requireNonNull(rows)) : producer(new JsonRows(function, prepare));
    }

    private <T> Producer producer(RowSource<T> rows) {
        String laneName = configuration.getLane();
        Lane<T> created = new Lane<>(
                name(),
                Databases.find(
                        configuration.getDataSource(),
                        ((PgCopyComponent) getComponent()).getDataSource(),
                        getCamelContext()),
                laneName == null ? null : new LaneOffsets(laneName, configuration.getOffsetTable()),
                rows.into(configuration.getTable()),
                new LaneTiming(
                        configuration.getTransactionLimit(),
                        configuration.getRetryDelay(),
                        configuration.getMaximumRetryDelay()));
        lane = created;
        return new PgCopyProducer<>(this, rows.valueType(), created);
    }

    /** The name of the lane, or else of the table. */
    String name() {
        String name = configuration.getLane();
        return name == null ? configuration.getTable() : name;
    }

    @Override
    public Consumer createConsumer(Processor processor) {
        throw new UnsupportedOperationException("pgcopy: is a producer; read records with lane: or kafka:");
    }

    private long statistic(ToLongFunction<LaneStatistics> value) {
        return lane == null ? 0 : value.applyAsLong(lane.statistics());
    }

    @ManagedAttribute(description = "Rows written")
    public long getRowsWritten() {
        return statistic(LaneStatistics::rows);
    }

    @ManagedAttribute(description = "Transactions that stored something")
    public long getTransactions() {
        return statistic(LaneStatistics::transactions);
    }

    @ManagedAttribute(description = "Records read again and not stored again")
    public long getDuplicates() {
        return statistic(LaneStatistics::duplicates);
    }

    @ManagedAttribute(description = "Retries after a failure of the database")
    public long getRetries() {
        return statistic(LaneStatistics::retries);
    }
}
