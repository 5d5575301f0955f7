package dev.silkroute.component.pgstate;

import dev.silkroute.component.StaleTimeouts;
import java.time.Duration;
import javax.sql.DataSource;
import org.apache.camel.spi.Configurer;
import org.apache.camel.spi.Metadata;
import org.apache.camel.spi.UriParam;
import org.apache.camel.spi.UriParams;
import org.apache.camel.spi.UriPath;
import org.jspecify.annotations.Nullable;

/** The options of a {@code pgstate:} endpoint. */
@UriParams
@Configurer
public class PgStateConfiguration {
    @UriPath(
            enums = "withdrawals,outbox",
            description = "withdrawals: withdraws routes that ended without a withdrawal by their router. outbox:"
                    + " delivers the withdrawals that were made, one exchange for each poll.")
    @Metadata(required = true)
    private String operation = "";

    @UriParam(
            description = "The database. The default is the component's, or else the only DataSource in the registry.")
    private @Nullable DataSource dataSource;

    @UriParam(
            description =
                    "The maximum number of rows that one transaction removes (withdrawals, 5000 by default), or of"
                            + " withdrawals in one exchange (outbox, 1000 by default)")
    private @Nullable Integer batchSize;

    @UriParam(
            defaultValue = StaleTimeouts.STALE_TEXT,
            description =
                    "withdrawals: how long the routes of a router stay, stale, after its session was lost. The default is the component's.")
    private Duration staleTimeout = StaleTimeouts.STALE;

    @UriParam(
            defaultValue = StaleTimeouts.RESYNC_TEXT,
            description = "withdrawals: how long the routes of a peer stay, stale, after its router has reconnected"
                    + " without reporting the peer. The default is the component's.")
    private Duration resyncTimeout = StaleTimeouts.RESYNC;

    @UriParam(
            defaultValue = "10s",
            description = "withdrawals: the interval at which staleTimeout and resyncTimeout are checked")
    private Duration expiryInterval = Duration.ofSeconds(10);

    @UriParam(
            description = "withdrawals: whether each withdrawal is also written to bmp.withdrawal_outbox, in the same"
                    + " transaction, for pgstate:outbox")
    private boolean outbox;

    @UriParam(
            defaultValue = "1000000",
            description =
                    "withdrawals: no rows are removed while more withdrawals than these are pending in the outbox")
    private long maxPending = 1_000_000;

    public String getOperation() {
        return operation;
    }

    public void setOperation(String operation) {
        this.operation = operation;
    }

    public @Nullable DataSource getDataSource() {
        return dataSource;
    }

    public void setDataSource(@Nullable DataSource dataSource) {
        this.dataSource = dataSource;
    }

    public @Nullable Integer getBatchSize() {
        return batchSize;
    }

    public void setBatchSize(@Nullable Integer batchSize) {
        this.batchSize = batchSize;
    }

    int batchSize(int otherwise) {
        int size = batchSize == null ? otherwise : batchSize;
        if (size < 1) {
            throw new IllegalArgumentException("batchSize must be positive, not " + size);
        }
        return size;
    }

    public Duration getStaleTimeout() {
        return staleTimeout;
    }

    public void setStaleTimeout(Duration staleTimeout) {
        this.staleTimeout = staleTimeout;
    }

    public Duration getResyncTimeout() {
        return resyncTimeout;
    }

    public void setResyncTimeout(Duration resyncTimeout) {
        this.resyncTimeout = resyncTimeout;
    }

    public Duration getExpiryInterval() {
        return expiryInterval;
    }

    public void setExpiryInterval(Duration expiryInterval) {
        this.expiryInterval = expiryInterval;
    }

    public boolean isOutbox() {
        return outbox;
    }

    public void setOutbox(boolean outbox) {
        this.outbox = outbox;
    }

    public long getMaxPending() {
        return maxPending;
    }

    public void setMaxPending(long maxPending) {
        this.maxPending = maxPending;
    }
}
