package dev.silkroute.component.pgstate;

import dev.silkroute.component.MeterGroup;
import dev.silkroute.postgres.withdrawal.WithdrawalOutbox;
import dev.silkroute.postgres.withdrawal.Withdrawals;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import javax.sql.DataSource;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.Processor;
import org.apache.camel.support.ScheduledPollConsumer;

/** Withdraws ended routes at each poll, on a connection of its own. An exchange reports each poll that found some. */
public class PgStateConsumer extends ScheduledPollConsumer {
    private static final int BATCH_SIZE = 5000;

    private final PgStateConfiguration configuration;
    private final DataSource database;
    private final Withdrawals withdrawals;
    private long nextExpiry = System.nanoTime();
    private boolean outboxAnnounced;
    private Runnable unregister = () -> {};

    public PgStateConsumer(PgStateEndpoint endpoint, Processor processor) {
        super(endpoint, processor);
        configuration = endpoint.getConfiguration();
        database = endpoint.dataSource();
        withdrawals = new Withdrawals(
                configuration.batchSize(BATCH_SIZE),
                this::isRunAllowed,
                configuration.isOutbox() ? new WithdrawalOutbox(configuration.getMaxPending()) : null);
    }

    @Override
    protected void doStart() throws Exception {
        CamelContext camel = getEndpoint().getCamelContext();
        if (MeterGroup.isAvailable(camel)) {
            unregister = MeterGroup.bind(camel, registry -> PgStateMeters.register(registry, withdrawals.statistics()));
        }
        super.doStart();
    }

    @Override
    protected void doStop() throws Exception {
        super.doStop();
        unregister.run();
    }

    @Override
    protected int poll() throws Exception {
        long begun = System.nanoTime();
        long tables = 0;
        long routes;
        try (Connection connection = database.getConnection()) {
            if (!outboxAnnounced) {
                WithdrawalOutbox.setEnabled(connection, configuration.isOutbox());
                outboxAnnounced = true;
            }
            if (System.nanoTime() - nextExpiry >= 0) {
                tables = withdrawals.expire(
                        connection, configuration.getStaleTimeout(), configuration.getResyncTimeout());
                nextExpiry =
                        System.nanoTime() + configuration.getExpiryInterval().toNanos();
            }
            routes = withdrawals.purge(connection);
        } catch (SQLException | RuntimeException e) {
            withdrawals.statistics().failed();
            throw e;
        }
        withdrawals.statistics().ran(Instant.now(), Duration.ofNanos(System.nanoTime() - begun));
        if (routes == 0 && tables == 0) {
            return 0;
        }
        Exchange exchange = createExchange(true);
        exchange.getMessage().setHeader(PgStateConstants.ROUTES, routes);
        exchange.getMessage().setHeader(PgStateConstants.TABLES, tables);
        exchange.getMessage().setBody(routes);
        getProcessor().process(exchange);
        return 1;
    }
}
