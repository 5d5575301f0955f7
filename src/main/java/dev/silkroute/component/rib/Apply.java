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
 * Applies the route batches of an exchange: those of a batching consumer, whose body is a list of exchanges, or else
 * the body as one. A record that is not a route batch is logged and skipped; the database lanes put it in quarantine.
 */
final class Apply implements Processor {
    private static final Logger LOGGER = LoggerFactory.getLogger(Apply.class);

    private final Rib rib;
    private final RibOffsets offsets;
    private final boolean changes;

    /** @param changes whether each record's message gets the header with what its events have changed */
    Apply(Rib rib, @Nullable RibOffsets offsets, boolean changes) {
        this.rib = rib;
        this.changes = changes;
        this.offsets = offsets == null ? RibOffsets.NONE : offsets;
    }

    /** Totals of an exchange. */
    private static final class Totals {
        private final BatchOutcomes outcomes;
        private final int[] counts = new int[RouteOutcome.values().length];
        private long events;
        private int rejected;

        Totals(boolean detectPathChanges) {
            outcomes = new BatchOutcomes(detectPathChanges);
        }
    }

    @Override
    public void process(Exchange exchange) {
        Totals totals = new Totals(changes);
        Message message = exchange.getMessage();
        if (message.getBody() instanceof List<?> list && !list.isEmpty() && list.getFirst() instanceof Exchange) {
            for (Object element : list) {
                record(((Exchange) element).getMessage(), totals);
            }
        } else {
            record(message, totals);
        }
        Map<String, Integer> counts = new LinkedHashMap<>();
        for (RouteOutcome outcome : RouteOutcome.values()) {
            if (totals.counts[outcome.ordinal()] > 0) {
                counts.put(outcome.name().toLowerCase(Locale.ROOT), totals.counts[outcome.ordinal()]);
            }
        }
        message.setHeader(RibConstants.EVENTS, totals.events);
        message.setHeader(RibConstants.OUTCOMES, counts);
        message.setHeader(RibConstants.REJECTED, totals.rejected);
    }

    private void record(Message message, Totals totals) {
        String topic = message.getHeader(RibConstants.TOPIC, String.class);
        Integer partition = message.getHeader(RibConstants.PARTITION, Integer.class);
        Long offset = message.getHeader(RibConstants.OFFSET, Long.class);
        boolean hasOffset = topic != null && partition != null && offset != null;
        if (hasOffset && !offsets.isNew(topic, partition, offset)) {
            return;
        }
        RouteBatch batch = read(message, totals);
        if (batch != null) {
            rib.apply(batch, totals.outcomes);
            totals.events += totals.outcomes.size();
            for (RouteOutcome outcome : RouteOutcome.values()) {
                totals.counts[outcome.ordinal()] += totals.outcomes.count(outcome);
            }
            if (changes) {
                message.setHeader(RibConstants.CHANGES, totals.outcomes.changes());
            }
        }
        if (hasOffset) {
            offsets.applied(topic, partition, offset);
        }
    }

    private static @Nullable RouteBatch read(Message message, Totals totals) {
        if (message.getBody() instanceof RouteBatch batch) {
            return batch;
        }
        byte[] bytes = message.getBody(byte[].class);
        if (bytes == null) {
            return null; // a record without a value contains no events
        }
        try {
            return RouteBatch.read(bytes);
        } catch (WireFormatException e) {
            totals.rejected++;
            LOGGER.warn(
                    "Record {}-{}@{} is not a route batch: {}",
                    message.getHeader(RibConstants.TOPIC),
                    message.getHeader(RibConstants.PARTITION),
                    message.getHeader(RibConstants.OFFSET),
                    e.getMessage());
            return null;
        }
    }
}
