package dev.silkroute.component.rib;

import dev.silkroute.rib.BatchOutcomes;
import dev.silkroute.rib.Rib;
import dev.silkroute.rib.RouteOutcome;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.WireFormatException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.camel.Exchange;
import org.apache.camel.Message;
import org.apache.camel.Processor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes in the route batches of an exchange: those of a batching consumer, whose body is a list of exchanges, or else the body as one. What is no
 * route batch is told and passed over; the writers' lanes put it in quarantine.
 */
final class Apply implements Processor {
    private static final Logger LOGGER = LoggerFactory.getLogger(Apply.class);

    private final Rib rib;
    private final RibPlaces places;
    private final boolean changes;

    /** @param changes whether each record's message is to say what its events have changed */
    Apply(Rib rib, @Nullable RibPlaces places, boolean changes) {
        this.rib = rib;
        this.changes = changes;
        this.places = places == null ? RibPlaces.NONE : places;
    }

    /** What an exchange did. */
    private static final class Sum {
        private final BatchOutcomes outcomes;
        private final int[] counts = new int[RouteOutcome.values().length];
        private long events;
        private int refused;

        Sum(boolean ways) {
            outcomes = new BatchOutcomes(ways);
        }
    }

    @Override
    public void process(Exchange exchange) {
        Sum sum = new Sum(changes);
        Message message = exchange.getMessage();
        if (message.getBody() instanceof List<?> list && !list.isEmpty() && list.getFirst() instanceof Exchange) {
            for (Object element : list) {
                record(((Exchange) element).getMessage(), sum);
            }
        } else {
            record(message, sum);
        }
        Map<String, Integer> counts = new LinkedHashMap<>();
        for (RouteOutcome outcome : RouteOutcome.values()) {
            if (sum.counts[outcome.ordinal()] > 0) {
                counts.put(outcome.name().toLowerCase(Locale.ROOT), sum.counts[outcome.ordinal()]);
            }
        }
        message.setHeader(RibConstants.EVENTS, sum.events);
        message.setHeader(RibConstants.OUTCOMES, counts);
        message.setHeader(RibConstants.REFUSED, sum.refused);
    }

    private void record(Message message, Sum sum) {
        String topic = message.getHeader(RibConstants.TOPIC, String.class);
        Integer partition = message.getHeader(RibConstants.PARTITION, Integer.class);
        Long offset = message.getHeader(RibConstants.OFFSET, Long.class);
        boolean placed = topic != null && partition != null && offset != null;
        if (placed && !places.isNew(topic, partition, offset)) {
            return;
        }
        RouteBatch batch = read(message, sum);
        if (batch != null) {
            rib.apply(batch, sum.outcomes);
            sum.events += sum.outcomes.size();
            for (RouteOutcome outcome : RouteOutcome.values()) {
                sum.counts[outcome.ordinal()] += sum.outcomes.count(outcome);
            }
            if (changes) {
                message.setHeader(RibConstants.CHANGES, sum.outcomes.changes());
            }
        }
        if (placed) {
            places.applied(topic, partition, offset);
        }
    }

    private static @Nullable RouteBatch read(Message message, Sum sum) {
        if (message.getBody() instanceof RouteBatch batch) {
            return batch;
        }
        byte[] bytes = message.getBody(byte[].class);
        if (bytes == null) {
            return null; // a record without a value says nothing
        }
        try {
            return RouteBatch.read(bytes);
        } catch (WireFormatException e) {
            sum.refused++;
            LOGGER.warn(
                    "Record {}-{}@{} is no route batch: {}",
                    message.getHeader(RibConstants.TOPIC),
                    message.getHeader(RibConstants.PARTITION),
                    message.getHeader(RibConstants.OFFSET),
                    e.getMessage());
            return null;
        }
    }
}
