package dev.silkroute.component.bmp;

import dev.silkroute.bmp.BmpMessages;
import dev.silkroute.collector.sessions.DecodeCounters;
import dev.silkroute.collector.sessions.SessionRegistry;
import dev.silkroute.collector.transport.FrameBatch;
import dev.silkroute.component.StageSpans;
import dev.silkroute.session.DecodedBatch;
import dev.silkroute.session.LaneName;
import dev.silkroute.session.SessionRecord;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.function.Supplier;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.Message;
import org.apache.camel.support.SynchronizationAdapter;
import org.jspecify.annotations.Nullable;

/**
 * The messages for lanes that come of a batch, in the order of the session. Decodes the batch portion by portion, each
 * when the messages of the one before have been sent, so that a batch of ten thousand small messages that cannot be
 * decoded does not become ten thousand records at once. Used by the thread that processes the exchange.
 *
 * <p>{@link #next} returns null instead of the last message if the last messages of the batch have no records, which
 * Camel's split ignores: whether there are records is known only after decoding.
 */
final class DecodedLanes extends SynchronizationAdapter implements Iterator<@Nullable Message> {
    /** Maximum number of BMP messages that are decoded together. */
    static final int PORTION = 2048;

    private final CamelContext camel;
    private final FrameBatch batch;
    private final SessionRegistry sessions;
    private final DecodeCounters counters;
    private final DecodingSlots slots;
    private final Supplier<StageSpans.Stage> decoding;
    private final Queue<Message> messages = new ArrayDeque<>();
    private int from;
    private long firstMessage;
    private boolean finished;
    private int held;

    DecodedLanes(
            Exchange exchange,
            FrameBatch batch,
            SessionRegistry sessions,
            DecodeCounters counters,
            DecodingSlots slots,
            StageSpans spans) {
        camel = exchange.getContext();
        decoding = () -> spans.start(exchange, "decode");
        this.batch = batch;
        this.sessions = sessions;
        this.counters = counters;
        this.slots = slots;
        firstMessage = batch.firstMessage();
    }

    @Override
    public boolean hasNext() {
        return !messages.isEmpty() || !finished;
    }

    @Override
    public @Nullable Message next() {
        while (messages.isEmpty() && !finished) {
            decodePortion();
        }
        return messages.poll();
    }

    private void decodePortion() {
        byte[] bytes = batch.bytes();
        int to = from;
        int count = 0;
        while (to < bytes.length && count < PORTION) {
            to += BmpMessages.length(bytes, to);
            count++;
        }
        hold(count);
        finished = to == bytes.length;
        DecodedBatch decoded;
        try (StageSpans.Stage _ = decoding.get()) {
            decoded = batch.session()
                    .decode(
                            bytes,
                            from,
                            to,
                            firstMessage,
                            batch.receivedAtMicros(),
                            batch.elapsedMicros(),
                            finished ? batch.end() : null);
        }
        from = to;
        firstMessage += count;
        counters.add(decoded);
        sessions.decoded(batch.session(), decoded);
        addMessages(decoded);
    }

    private void hold(int count) {
        release();
        try {
            slots.acquire(count);
            held = count;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting to decode", e);
        }
    }

    private void release() {
        slots.release(held);
        held = 0;
    }

    private void addMessages(DecodedBatch decoded) {
        byte[] routes = decoded.routes();
        if (routes.length > 0) {
            messages.add(LaneMessage.of(camel, LaneName.ROUTES.text(), decoded.router(), routes));
        }
        for (LaneName lane : LaneName.values()) {
            List<SessionRecord> records = decoded.records(lane);
            if (!records.isEmpty()) {
                messages.add(LaneMessage.of(
                        camel,
                        lane.text(),
                        decoded.router(),
                        records.stream()
                                .map(record -> LaneMessage.keyed(camel, decoded.router(), record.json()))
                                .toList()));
            }
        }
    }

    /** Called when the exchange is complete, also if it failed before the end of the batch. */
    @Override
    public void onDone(Exchange exchange) {
        release();
    }

    @Override
    public boolean allowHandover() {
        return false;
    }
}
