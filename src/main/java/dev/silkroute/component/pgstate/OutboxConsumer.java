package dev.silkroute.component.pgstate;

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
 * Delivers the withdrawals pending in the outbox, one exchange for each poll. They are removed when the exchange has
 * completed; those of an exchange that failed are delivered again.
 */
public class OutboxConsumer extends ScheduledPollConsumer {
    private static final int BATCH_SIZE = 1000;

    private final DataSource database;
    private final int batchSize;

    public OutboxConsumer(PgStateEndpoint endpoint, Processor processor) {
        super(endpoint, processor);
        database = endpoint.dataSource();
        batchSize = endpoint.getConfiguration().batchSize(BATCH_SIZE);
    }

    @Override
    protected int poll() throws Exception {
        try (Connection connection = database.getConnection()) {
            return WithdrawalOutbox.deliver(connection, batchSize, this::send);
        }
    }

    private void send(List<WithdrawalOutbox.Entry> entries) {
        Exchange exchange = createExchange(false);
        try {
            exchange.getMessage().setHeader(PgStateConstants.ROUTES, (long) entries.size());
            exchange.getMessage().setBody(messages(entries));
            getProcessor().process(exchange);
            if (exchange.getException() != null) {
                throw exchange.getException();
            }
            if (exchange.isRollbackOnly()) {
                throw new IllegalStateException("the route has marked the exchange for rollback");
            }
        } catch (Exception e) {
            throw RuntimeCamelException.wrapRuntimeException(e);
        } finally {
            releaseExchange(exchange, false);
        }
    }

    /**
     * Returns one message for each withdrawal; a {@code kafka:} endpoint sends the messages of such a list one by
     * one, in order, with their keys. The constant is inlined, so camel-kafka is not required at run time.
     */
    private List<Message> messages(List<WithdrawalOutbox.Entry> entries) {
        List<Message> messages = new ArrayList<>(entries.size());
        for (WithdrawalOutbox.Entry entry : entries) {
            Message message = new DefaultMessage(getEndpoint().getCamelContext());
            message.setHeader(KafkaConstants.KEY, entry.router());
            message.setBody(entry.json());
            messages.add(message);
        }
        return messages;
    }
}
