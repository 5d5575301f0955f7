package dev.silkroute.collector.transport;

import dev.silkroute.session.BmpSession;
import org.jspecify.annotations.Nullable;

/**
 * The body of one exchange: whole BMP messages of one session, from one or more socket reads, verbatim. The last batch
 * of a session contains the reason for its end and may have no message.
 *
 * <p>The bytes belong to the batch and must not be modified.
 */
public final class FrameBatch {
    private final BmpSession session;
    private final byte[] bytes;
    private final long firstMessage;
    private final long receivedAtMicros;
    private final long elapsedMicros;
    private final @Nullable String end;
    private final Runnable onAcknowledged;

    /** @param onAcknowledged see {@link #acknowledged}; the others are those of the accessors */
    public FrameBatch(
            BmpSession session,
            byte[] bytes,
            long firstMessage,
            long receivedAtMicros,
            long elapsedMicros,
            @Nullable String end,
            Runnable onAcknowledged) {
        this.session = session;
        this.bytes = bytes;
        this.firstMessage = firstMessage;
        this.receivedAtMicros = receivedAtMicros;
        this.elapsedMicros = elapsedMicros;
        this.end = end;
        this.onAcknowledged = onAcknowledged;
    }

    /** Returns the decoder of the session, which has the router's identity. */
    public BmpSession session() {
        return session;
    }

    public byte[] bytes() {
        return bytes;
    }

    /** Returns the number within the session of the batch's first message, from 0. */
    public long firstMessage() {
        return firstMessage;
    }

    /** Returns when the last of the bytes was read from the socket, in microseconds since 1970. */
    public long receivedAtMicros() {
        return receivedAtMicros;
    }

    /** Returns the same time in microseconds by a monotonic clock, for intervals. */
    public long elapsedMicros() {
        return elapsedMicros;
    }

    /** Returns why the session ended with this batch, or null while it continues. */
    public @Nullable String end() {
        return end;
    }

    /**
     * Releases the batch's memory. Called once, by any thread, when Kafka has acknowledged everything that came of the
     * batch.
     */
    public void acknowledged() {
        onAcknowledged.run();
    }
}
