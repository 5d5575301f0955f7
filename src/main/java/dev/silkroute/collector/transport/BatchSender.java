package dev.silkroute.collector.transport;

import dev.silkroute.session.BmpSession;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Cuts the whole messages of a connection into batches and sends them on.
 *
 * <p>A batch is sent while at most one other is unacknowledged, or when it is large enough. So the messages of a quiet
 * session are sent at once, and the batches of a busy one grow with the time that Kafka takes to acknowledge. Only the
 * channel's event loop uses it, except for the batches themselves.
 */
final class BatchSender {
    private static final int MAX_UNACKNOWLEDGED = 2;

    private final StreamBuffer buffer;
    private final SessionLimits limits;
    private final Consumer<FrameBatch> next;
    private final Listener listener;
    private int unacknowledged;
    private long receivedAtMicros;
    private long elapsedMicros;

    /** Admits batches, and is notified when they are sent and acknowledged. */
    interface Listener {
        /**
         * Returns how many bytes the next batch may have, 0 if it must wait; it is then tried again later,
         * with {@link #sendDue} or {@link #sendLast}.
         *
         * @param bytes the number of bytes available for it
         * @param first those of the first message
         */
        int admitted(int bytes, int first);

        /** @param receivedMicros when its last bytes were received, microseconds since 1970 */
        void sent(int bytes, long receivedMicros);

        /** Called by any thread, with the size of the batch. */
        void acknowledged(int bytes, boolean last);
    }

    /**
     * @param limits with the size from which a batch is sent whatever is unacknowledged, and which it exceeds only by
     *     its first message
     * @param next receives the batches while the connection is open
     */
    BatchSender(StreamBuffer buffer, SessionLimits limits, Consumer<FrameBatch> next, Listener listener) {
        this.buffer = buffer;
        this.limits = limits;
        this.next = next;
        this.listener = listener;
    }

    /**
     * Sets the receive time of the batches that follow.
     *
     * @param micros microseconds since 1970
     * @param elapsed microseconds by a monotonic clock
     */
    void receivedAt(long micros, long elapsed) {
        receivedAtMicros = micros;
        elapsedMicros = elapsed;
    }

    boolean isIdle() {
        return unacknowledged == 0;
    }

    /** Records that a batch has been acknowledged. */
    void acknowledged() {
        unacknowledged--;
    }

    void sendDue(BmpSession session) {
        while (buffer.messages() > 0 && (unacknowledged < MAX_UNACKNOWLEDGED || isFull())) {
            int most = admitted();
            if (most == 0) {
                return;
            }
            next.accept(nextBatch(session, null, most));
        }
    }

    private int admitted() {
        int bytes = Math.min(limits.batch(), buffer.wholeBytes());
        return Math.min(limits.batch(), listener.admitted(bytes, buffer.firstLength()));
    }

    /** Returns whether the buffer has a batch of the largest size. */
    private boolean isFull() {
        return buffer.wholeBytes() >= limits.batch() || buffer.messages() >= limits.batchMessages();
    }

    /** Sends a batch without messages, so that the session checks its tables. */
    void sendEmpty(BmpSession session) {
        next.accept(nextBatch(session, null, limits.batch()));
    }

    /**
     * Sends what is left, in batches of the size that is admitted, the last of them with the reason for the session's
     * end. That last batch may have no messages; it is then sent whatever is admitted.
     *
     * @param isUrgent whether everything is sent at once, whatever is admitted
     * @return false if the next batch must wait; this method is to be called again later
     */
    boolean sendLast(BmpSession session, String end, boolean isUrgent, Consumer<FrameBatch> to) {
        boolean isLeft = true;
        while (isLeft) {
            int most = isUrgent || buffer.messages() == 0 ? limits.batch() : admitted();
            if (most == 0) {
                return false;
            }
            FrameBatch batch = nextBatch(session, end, most);
            isLeft = batch.end() == null;
            to.accept(batch);
        }
        return true;
    }

    /** @param end why the session ends with its last message, null if it continues */
    private FrameBatch nextBatch(BmpSession session, @Nullable String end, int most) {
        long first = buffer.taken();
        byte[] bytes = buffer.take(most, limits.batchMessages());
        String reason = buffer.messages() == 0 ? end : null;
        unacknowledged++;
        listener.sent(bytes.length, receivedAtMicros);
        return new FrameBatch(
                session,
                bytes,
                first,
                receivedAtMicros,
                elapsedMicros,
                reason,
                () -> listener.acknowledged(bytes.length, reason != null));
    }
}
