package dev.silkroute.component.pgcopy;

import dev.silkroute.postgres.lane.CopyRows;
import dev.silkroute.postgres.lane.Lane;
import dev.silkroute.postgres.lane.LaneOffsets;
import dev.silkroute.postgres.lane.LaneStatistics;
import dev.silkroute.postgres.lane.LaneTiming;
import dev.silkroute.postgres.lane.LaneWriter;
import dev.silkroute.postgres.lane.RowSource;
import java.util.Arrays;
import java.util.List;
import javax.sql.DataSource;
import org.apache.camel.Category;
import org.apache.camel.Consumer;
import org.apache.camel.Processor;
import org.apache.camel.Producer;
import org.apache.camel.api.management.ManagedAttribute;
import org.apache.camel.api.management.ManagedResource;
import org.apache.camel.spi.UriEndpoint;
import org.apache.camel.spi.UriParam;
import org.apache.camel.support.CamelContextHelper;
import org.apache.camel.support.DefaultEndpoint;
import org.jspecify.annotations.Nullable;

/** Writes rows into a PostgreSQL table by binary COPY, all rows of a body in one transaction. */
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
        RowSource<?> source = configuration.getRows();
        if (source == null) {
            return producer(Object.class, new CopyRows(configuration.getTable(), columns()));
        }
        if (configuration.getColumns() != null) {
            throw new IllegalArgumentException("columns are of no use with rows: those know their columns");
        }
        return producer(source);
    }

    private <T> Producer producer(RowSource<T> source) {
        return producer(source.valueType(), source.into(configuration.getTable()));
    }

    private <T> Producer producer(Class<T> type, LaneWriter<T> writer) {
        String name = configuration.getLane();
        LaneOffsets offsets = name == null ? null : new LaneOffsets(name, configuration.getOffsetTable());
        LaneTiming timing = new LaneTiming(
                configuration.getTransactionLimit(),
                configuration.getRetryDelay(),
                configuration.getMaximumRetryDelay());
        Lane<T> made = new Lane<>(name(), database(), offsets, writer, timing);
        lane = made;
        return new PgCopyProducer<>(this, type, made);
    }

    /** Of the lane, otherwise of the table. */
    String name() {
        String name = configuration.getLane();
        return name == null ? configuration.getTable() : name;
    }

    private List<String> columns() {
        String names = configuration.getColumns();
        return names == null
                ? List.of()
                : Arrays.stream(names.split(",")).map(String::strip).toList();
    }

    private DataSource database() {
        DataSource own = configuration.getDataSource();
        if (own == null) {
            own = ((PgCopyComponent) getComponent()).getDataSource();
        }
        return own == null ? CamelContextHelper.mandatoryFindSingleByType(getCamelContext(), DataSource.class) : own;
    }

    @Override
    public Consumer createConsumer(Processor processor) {
        throw new UnsupportedOperationException("pgcopy only writes");
    }

    private long said(java.util.function.ToLongFunction<LaneStatistics> what) {
        return lane == null ? 0 : what.applyAsLong(lane.statistics());
    }

    @ManagedAttribute(description = "Rows written")
    public long getRowsWritten() {
        return said(LaneStatistics::rows);
    }

    @ManagedAttribute(description = "Transactions that stored something")
    public long getTransactions() {
        return said(LaneStatistics::transactions);
    }

    @ManagedAttribute(description = "Records that came again and were not stored again")
    public long getDuplicates() {
        return said(LaneStatistics::duplicates);
    }

    @ManagedAttribute(description = "How often the database could not take a batch and it was tried again")
    public long getRetries() {
        return said(LaneStatistics::retries);
    }
}
