package dev.silkroute.component.pgcopy;

import dev.silkroute.postgres.lane.RowSource;
import java.time.Duration;
import javax.sql.DataSource;
import org.apache.camel.spi.Configurer;
import org.apache.camel.spi.Metadata;
import org.apache.camel.spi.UriParam;
import org.apache.camel.spi.UriParams;
import org.apache.camel.spi.UriPath;
import org.jspecify.annotations.Nullable;

/** The options of a {@code pgcopy:} endpoint. */
@UriParams
@Configurer
public class PgCopyConfiguration {
    @UriPath(description = "The table, with its schema or without")
    @Metadata(required = true)
    private String table = "";

    @UriParam(
            description =
                    "The columns of the rows, separated by commas. Without: of maps the keys of the first one, otherwise all columns of the table in their order")
    private @Nullable String columns;

    @UriParam(description = "The database. Without: the only DataSource of the registry")
    private @Nullable DataSource dataSource;

    @UriParam(
            description =
                    "Makes rows of the body itself, and may do more in the transaction; a RowSource. Without, the body is rows")
    private @Nullable RowSource<?> rows;

    @UriParam(
            description =
                    "Name of a lane: records of a batching Kafka consumer are stored exactly once, and tried again until they are")
    private @Nullable String lane;

    @UriParam(defaultValue = "lane_offset", description = "The table where lanes keep their places")
    private String offsetTable = "lane_offset";

    @UriParam(
            defaultValue = "2m",
            description = "How long a transaction may take before its connection is cut, whatever it waits for")
    private Duration transactionLimit = Duration.ofMinutes(2);

    @UriParam(defaultValue = "250ms", description = "With a lane: pause before a batch is tried again; doubles")
    private Duration retryDelay = Duration.ofMillis(250);

    @UriParam(defaultValue = "2s", description = "With a lane: longest pause before a batch is tried again")
    private Duration maximumRetryDelay = Duration.ofSeconds(2);

    public String getTable() {
        return table;
    }

    public void setTable(String table) {
        this.table = table;
    }

    public @Nullable String getColumns() {
        return columns;
    }

    public void setColumns(@Nullable String columns) {
        this.columns = columns;
    }

    public @Nullable DataSource getDataSource() {
        return dataSource;
    }

    public void setDataSource(@Nullable DataSource dataSource) {
        this.dataSource = dataSource;
    }

    public @Nullable RowSource<?> getRows() {
        return rows;
    }

    public void setRows(@Nullable RowSource<?> rows) {
        this.rows = rows;
    }

    public @Nullable String getLane() {
        return lane;
    }

    public void setLane(@Nullable String lane) {
        this.lane = lane;
    }

    public String getOffsetTable() {
        return offsetTable;
    }

    public void setOffsetTable(String offsetTable) {
        this.offsetTable = offsetTable;
    }

    public Duration getTransactionLimit() {
        return transactionLimit;
    }

    public void setTransactionLimit(Duration transactionLimit) {
        this.transactionLimit = transactionLimit;
    }

    public Duration getRetryDelay() {
        return retryDelay;
    }

    public void setRetryDelay(Duration retryDelay) {
        this.retryDelay = retryDelay;
    }

    public Duration getMaximumRetryDelay() {
        return maximumRetryDelay;
    }

    public void setMaximumRetryDelay(Duration maximumRetryDelay) {
        this.maximumRetryDelay = maximumRetryDelay;
    }
}
