package dev.silkroute.component.pgstate;

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
            description =
                    "What of the current state: withdrawals takes away the routes that are gone without their router's word; outbox gives what was told of them")
    @Metadata(required = true)
    private String what = "";

    @UriParam(description = "The database. Without: the component's, or the only DataSource of the registry")
    private @Nullable DataSource dataSource;

    @UriParam(defaultValue = "5000", description = "Most rows that one transaction removes")
    private int slice = 5000;

    @UriParam(
            defaultValue = "24h",
            description =
                    "How long after the loss of its session a router's routes stay, stale, if it doesn't come back")
    private Duration withdrawAfter = Duration.ofHours(24);

    @UriParam(
            defaultValue = "30m",
            description =
                    "How long after a router has come back the routes of a peer stay, stale, that its new session doesn't mention")
    private Duration unmentionedAfter = Duration.ofMinutes(30);

    @UriParam(defaultValue = "10s", description = "How often to look for routers and peers whose time is over")
    private Duration expireEvery = Duration.ofSeconds(10);

    @UriParam(
            description =
                    "withdrawals: whether each also goes to bmp.withdrawal_outbox, in the same transaction, for pgstate:outbox")
    private boolean outbox;

    @UriParam(
            defaultValue = "1000000",
            description = "withdrawals: while more than so many wait in the outbox, no more rows are removed")
    private long waiting = 1_000_000;

    @UriParam(defaultValue = "1000", description = "outbox: most withdrawals of one exchange")
    private int batch = 1000;

    public String getWhat() {
        return what;
    }

    public void setWhat(String what) {
        this.what = what;
    }

    public @Nullable DataSource getDataSource() {
        return dataSource;
    }

    public void setDataSource(@Nullable DataSource dataSource) {
        this.dataSource = dataSource;
    }

    public int getSlice() {
        return slice;
    }

    public void setSlice(int slice) {
        this.slice = slice;
    }

    public Duration getWithdrawAfter() {
        return withdrawAfter;
    }

    public void setWithdrawAfter(Duration withdrawAfter) {
        this.withdrawAfter = withdrawAfter;
    }

    public Duration getUnmentionedAfter() {
        return unmentionedAfter;
    }

    public void setUnmentionedAfter(Duration unmentionedAfter) {
        this.unmentionedAfter = unmentionedAfter;
    }

    public Duration getExpireEvery() {
        return expireEvery;
    }

    public void setExpireEvery(Duration expireEvery) {
        this.expireEvery = expireEvery;
    }

    public boolean isOutbox() {
        return outbox;
    }

    public void setOutbox(boolean outbox) {
        this.outbox = outbox;
    }

    public long getWaiting() {
        return waiting;
    }

    public void setWaiting(long waiting) {
        this.waiting = waiting;
    }

    public int getBatch() {
        return batch;
    }

    public void setBatch(int batch) {
        this.batch = batch;
    }
}
