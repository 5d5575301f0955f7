package dev.silkroute.component.pgstate;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.silkroute.postgres.withdrawal.WithdrawalOutbox;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.apache.camel.Exchange;
import org.apache.camel.Message;
import org.apache.camel.Processor;
import org.apache.camel.RuntimeCamelException;
import org.apache.camel.component.kafka.KafkaConstants;
import org.apache.camel.support.DefaultMessage;
import org.apache.camel.support.ScheduledPollConsumer;

/**
 * Gives what waits in the outbox, one exchange a poll, and removes it when the exchange is through; what is in an exchange that fails is given
 * again.
 */
public class OutboxConsumer extends ScheduledPollConsumer {
    private final DataSource database;
    private final int batch;

    public OutboxConsumer(PgStateEndpoint endpoint, Processor processor) {
        super(endpoint, processor);
        database = endpoint.dataSource();
        batch = endpoint.getConfiguration().getBatch();
        if (batch < 1) {
            throw new IllegalArgumentException("batches of " + batch + " withdrawals");
        }
    }

    @Override
    protected int poll() throws Exception {
        try (Connection connection = database.getConnection()) {
            return WithdrawalOutbox.deliver(connection, batch, this::give);
        }
    }

    private void give(List<WithdrawalOutbox.Entry> entries) {
        Exchange exchange = createExchange(false);
        try {
            exchange.getMessage().setHeader(PgStateConstants.ROUTES, (long) entries.size());
            exchange.getMessage().setBody(messages(entries));
            getProcessor().process(exchange);
            if (exchange.getException() != null) {
                throw exchange.getException();
            }
            if (exchange.isRollbackOnly()) {
                throw new IllegalStateException("the route has marked its exchange for rollback");
            }
        } catch (Exception e) {
            throw RuntimeCamelException.wrapRuntimeException(e);
        } finally {
            releaseExchange(exchange, false);
        }
    }

    /** A message each, as a {@code kafka:} endpoint sends them one by one, in order, by their key. Its constant needs none of its classes. */
    private List<Message> messages(List<WithdrawalOutbox.Entry> entries) {
        List<Message> messages = new ArrayList<>(entries.size());
        for (WithdrawalOutbox.Entry entry : entries) {
            Message message = new DefaultMessage(getEndpoint().getCamelContext());
            message.setHeader(KafkaConstants.KEY, entry.router());
            message.setBody(entry.json().getBytes(UTF_8));
            messages.add(message);
        }
        return messages;
    }
}
