package dev.silkroute.component.pgcopy;

import dev.silkroute.postgres.lane.Lane;
import dev.silkroute.postgres.lane.LaneStoppedException;
import dev.silkroute.postgres.lane.Positioned;
import java.sql.SQLException;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.apache.camel.Exchange;
import org.apache.camel.Route;
import org.apache.camel.StatefulService;
import org.apache.camel.support.DefaultProducer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stores one exchange in one transaction, with a lane in some where it is large, and is done when all is committed. */
final class PgCopyProducer<T> extends DefaultProducer {
    private static final Logger LOGGER = LoggerFactory.getLogger(PgCopyProducer.class);

    private final Class<T> type;
    private final Lane<T> lane;
    private @Nullable Runnable unbind;
    private volatile boolean gaveUp;

    PgCopyProducer(PgCopyEndpoint endpoint, Class<T> type, Lane<T> lane) {
        super(endpoint);
        this.type = type;
        this.lane = lane;
    }

    @Override
    public void process(Exchange exchange) throws Exception {
        Records<T> records = Records.of(exchange, type, lane.keepsOffsets());
        BooleanSupplier wanted = () -> !isGoingDown(exchange);
        if (gaveUp && records.isPositioned() && !wanted.getAsBoolean()) {
            exchange.setRouteStop(true); // what came before it isn't stored
            return;
        }
        long rows;
        try {
            rows = store(records, wanted);
        } catch (LaneStoppedException e) {
            if (!records.isPositioned()) {
                throw e;
            }
            giveUp(exchange, records, e);
            return;
        }
        exchange.getMessage().setHeader(PgCopyConstants.ROWS, rows);
        List<Positioned> read = records.read();
        if (!read.isEmpty()) {
            read.getLast().stored(read);
        }
    }

    private long store(Records<T> records, BooleanSupplier wanted) throws SQLException {
        try {
            return lane.keepsOffsets() ? lane.store(records.list(), wanted) : lane.write(records.list(), wanted);
        } catch (AssertionError | LinkageError e) {
            // Camel's Kafka consumer would end without a word by an Error; as an exception it is the route's to handle
            throw new IllegalStateException("Could not store " + records.list().size() + " records: " + e, e);
        }
    }

    /**
     * At a stop. Records are not stored, and their lane's place has not moved beyond them: they are read again. So this is no error; the route ends
     * here, and nothing behind it takes them for stored.
     */
    private void giveUp(Exchange exchange, Records<T> records, LaneStoppedException cause) {
        gaveUp = true;
        LOGGER.warn(
                "Lane {} stops before all of {} records are stored: those that are not will be read again ({})",
                getEndpoint().name(),
                records.list().size(),
                cause.getMessage());
        exchange.setRouteStop(true);
    }

    @Override
    public PgCopyEndpoint getEndpoint() {
        return (PgCopyEndpoint) super.getEndpoint();
    }

    /**
     * A route that goes down by itself suspends its consumer first, and may be resumed: then a batch waits on until the
     * shutdown's own time is over.
     */
    private boolean isGoingDown(Exchange exchange) {
        String id = exchange.getFromRouteId();
        Route route = id == null ? null : exchange.getContext().getRoute(id);
        return exchange.getContext().isStopping()
                || isStoppingOrStopped()
                || route != null
                        && route.getConsumer() instanceof StatefulService consumer
                        && (consumer.isStopping() || consumer.isStopped());
    }

    @Override
    protected void doStart() throws Exception {
        super.doStart();
        gaveUp = false;
        if (Meters.available(getEndpoint().getCamelContext())) {
            unbind = Meters.bind(getEndpoint(), lane.statistics());
        }
    }

    @Override
    protected void doStop() throws Exception {
        if (unbind != null) {
            unbind.run();
            unbind = null;
        }
        super.doStop();
    }
}
