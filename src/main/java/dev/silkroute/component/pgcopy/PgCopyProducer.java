package dev.silkroute.component.pgcopy;

import dev.silkroute.component.MeterGroup;
import dev.silkroute.postgres.lane.Lane;
import dev.silkroute.postgres.lane.LaneStoppedException;
import dev.silkroute.postgres.lane.PositionedRecord;
import java.sql.SQLException;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.Route;
import org.apache.camel.StatefulService;
import org.apache.camel.support.DefaultProducer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stores an exchange, a large batch of a lane in several transactions, and completes it when all are committed. */
final class PgCopyProducer<T> extends DefaultProducer {
    private static final Logger LOGGER = LoggerFactory.getLogger(PgCopyProducer.class);

    private final Class<T> type;
    private final Lane<T> lane;
    private Runnable unregister = () -> {};
    private volatile boolean abandoned;

    PgCopyProducer(PgCopyEndpoint endpoint, Class<T> type, Lane<T> lane) {
        super(endpoint);
        this.type = type;
        this.lane = lane;
    }

    @Override
    public void process(Exchange exchange) throws Exception {
        Records<T> records = Records.of(exchange, type);
        BooleanSupplier goOn = () -> !isStopping(exchange);
        if (abandoned && records.arePositioned() && !goOn.getAsBoolean()) {
            exchange.setRouteStop(true); // the records before these are not stored
            return;
        }
        long rows;
        try {
            rows = store(records, goOn);
        } catch (LaneStoppedException e) {
            if (!records.arePositioned()) {
                throw e;
            }
            abandon(exchange, records, e);
            return;
        }
        exchange.getMessage().setHeader(PgCopyConstants.ROWS, rows);
        List<PositionedRecord> positions = records.positions();
        if (!positions.isEmpty()) {
            positions.getLast().stored(positions);
        }
    }

    private long store(Records<T> records, BooleanSupplier goOn) throws SQLException {
        try {
            return lane.keepsOffsets() ? lane.store(records.list(), goOn) : lane.write(records.list(), goOn);
        } catch (AssertionError | LinkageError e) {
            // An Error would end camel-kafka's consumer thread silently; the route can handle an exception
            throw new IllegalStateException("Could not store " + records.list().size() + " records: " + e, e);
        }
    }

    /**
     * Ends the exchange at a stop. Its records are not stored and the lane's offset has not moved beyond them, so
     * they are read again. That is no failure: the route ends here, and no step after this one takes the records for
     * stored.
     */
    private void abandon(Exchange exchange, Records<T> records, LaneStoppedException cause) {
        abandoned = true;
        LOGGER.warn(
                "Lane {} stops before all of {} records are stored; the rest is read again at the next start ({})",
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
     * True if the context, this producer or the consumer of the route stops. A route that stops by itself first
     * suspends its consumer, and may be resumed: a batch then waits on until the timeout of the shutdown.
     */
    private boolean isStopping(Exchange exchange) {
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
        abandoned = false;
        CamelContext camel = getEndpoint().getCamelContext();
        if (MeterGroup.isAvailable(camel)) {
            unregister = MeterGroup.bind(
                    camel,
                    registry -> PgCopyMeters.register(registry, getEndpoint().name(), lane.statistics()));
        }
    }

    @Override
    protected void doStop() throws Exception {
        unregister.run();
        super.doStop();
    }
}
