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
    @UriPath(description = "The table, with or without its schema")
    @Metadata(required = true)
    private String table = "";

    @UriParam(description = "A RowSource: the bean that makes rows of records and writes them in the transaction")
    private @Nullable RowSource<?> rows;

    @UriParam(
            description = "Instead of rows: the SQL function, with or without its schema, that stores JSON records. It"
                    + " takes a jsonb array of records and returns the number of rows written.")
    private @Nullable String function;

    @UriParam(
            description = "With function: an SQL function that takes the same array before the transaction, in a"
                    + " statement that is committed at once. It inserts what several lanes insert, so that no other"
                    + " lane waits for the transaction. It may be called again for records that are stored.")
    private @Nullable String prepare;

    @UriParam(
            description = "The database. The default is the component's, or else the only DataSource in the registry.")
    private @Nullable DataSource dataSource;

    @UriParam(
            description = "The name of the lane whose consumer (lane:) the records come from. They are stored exactly"
                    + " once, and retried until they are stored.")
    private @Nullable String lane;

    @UriParam(
            defaultValue = "lane_offset",
            description =
                    "With a lane: the table that holds its offsets, with or without its schema. The default is the"
                            + " component's.")
    private String offsetTable = "lane_offset";

    @UriParam(
            defaultValue = "2m",
            description = "How long a transaction may take before its connection is closed. With a lane, half as many"
                    + " records are then tried, down to one.")
    private Duration transactionLimit = Duration.ofMinutes(2);

    @UriParam(
            defaultValue = "250",
            description = "With a lane: the pause before the first retry, in milliseconds or as 2s; doubled for each"
                    + " retry that follows")
    private Duration retryDelay = Duration.ofMillis(250);

    @UriParam(defaultValue = "2s", description = "With a lane: the longest pause before a retry")
    private Duration maximumRetryDelay = Duration.ofSeconds(2);

    public String getTable() {
        return table;
    }

    public void setTable(String table) {
        this.table = table;
    }

    public @Nullable RowSource<?> getRows() {
        return rows;
    }

    public void setRows(@Nullable RowSource<?> rows) {
        this.rows = rows;
    }

    public @Nullable String getFunction() {
        return function;
    }

    public void setFunction(@Nullable String function) {
        this.function = function;
    }

    public @Nullable String getPrepare() {
        return prepare;
    }

    public void setPrepare(@Nullable String prepare) {
        this.prepare = prepare;
    }

    public @Nullable DataSource getDataSource() {
        return dataSource;
    }

    public void setDataSource(@Nullable DataSource dataSource) {
        this.dataSource = dataSource;
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
