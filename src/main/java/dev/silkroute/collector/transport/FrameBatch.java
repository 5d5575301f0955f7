package dev.silkroute.collector.transport;

import dev.silkroute.session.BmpSession;
import org.jspecify.annotations.Nullable;

/**
 * Body of one exchange: the whole BMP messages of one or more socket reads of one session, as they came. The last batch
 * of a session says why it ended and may hold no message.
 *
 * <p>The bytes belong to the batch; nobody writes to them.
 */
public final class FrameBatch {
    private final BmpSession session;
    private final byte[] bytes;
    private final long firstMessage;
    private final long receivedAtMicros;
    private final @Nullable String end;
    private final Runnable done;

    FrameBatch(
            BmpSession session,
            byte[] bytes,
            long firstMessage,
            long receivedAtMicros,
            @Nullable String end,
            Runnable done) {
        this.session = session;
        this.bytes = bytes;
        this.firstMessage = firstMessage;
        this.receivedAtMicros = receivedAtMicros;
        this.end = end;
        this.done = done;
    }

    public BmpSession session() {
        return session;
    }

    public byte[] bytes() {
        return bytes;
    }

    /** Number within the session of the batch's first message, from 0. */
    public long firstMessage() {
        return firstMessage;
    }

    /** When the last of the bytes was read from the socket, microseconds since 1970. */
    public long receivedAtMicros() {
        return receivedAtMicros;
    }

    /** Why the session ended with this batch, null while it goes on. */
    public @Nullable String end() {
        return end;
    }

    /** Gives the bytes back to the session's allowance. Called once, when the exchange is done. */
    public void done() {
        done.run();
    }
}
