package dev.silkroute.collector.sessions;

import dev.silkroute.session.BmpSession;
import dev.silkroute.session.SessionConfig;
import dev.silkroute.session.identity.RouterIdentifier;
import dev.silkroute.session.identity.RouterIdentity;
import java.net.InetAddress;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A BMP session from the accepted connection to the acknowledgement of its last batch. Its decoder exists as soon as
 * the router is identified. Thread-safe for readers; the connection's event loop alone changes it.
 */
public final class OpenSession {
    private final SessionConfig config;
    private final RouterIdentifier identifier;
    private final long id;
    private final InetAddress address;
    private volatile long lastByteAtMicros;
    private volatile @Nullable BmpSession decoder;
    private final Queue<Long> unacknowledged = new ConcurrentLinkedQueue<>();
    private volatile Consumer<String> closer = _ -> {};

    /**
     * @param identifier determines the router's name
     * @param id unique among the station's sessions, and larger than that of every connection accepted before
     * @param address source address of the router
     */
    public OpenSession(SessionConfig config, RouterIdentifier identifier, long id, InetAddress address) {
        this.config = config;
        this.identifier = identifier;
        this.id = id;
        this.address = address;
    }

    public long id() {
        return id;
    }

    public InetAddress address() {
        return address;
    }

    public RouterIdentifier identifier() {
        return identifier;
    }

    /** Sets the router's identity, once, and returns the session's decoder. */
    public BmpSession identify(RouterIdentity identity) {
        BmpSession created = new BmpSession(config, id, address, identity);
        decoder = created;
        return created;
    }

    /** Returns the session's decoder, or null until the router is identified. */
    public @Nullable BmpSession decoder() {
        return decoder;
    }

    /** Returns the router's name, or its source address until it is identified. */
    public String router() {
        BmpSession identified = decoder;
        return identified == null ? address.getHostAddress() : identified.router();
    }

    /** A batch of messages has been sent on. @param receivedMicros when it was received, microseconds since 1970 */
    public void batchSent(long receivedMicros) {
        unacknowledged.add(receivedMicros);
    }

    /** Kafka has acknowledged everything that came of the oldest batch. */
    public void batchAcknowledged() {
        unacknowledged.poll();
    }

    /** Returns when the oldest batch on its way to Kafka was received, {@code otherwise} if there is none. */
    long unacknowledgedSince(long otherwise) {
        Long oldest = unacknowledged.peek();
        return oldest == null ? otherwise : oldest;
    }

    /** Sets what {@link #end} does. */
    public void onEnd(Consumer<String> close) {
        closer = close;
    }

    /**
     * Ends the session, so that the router connects again and sends its tables. Returns at once. Thread-safe.
     *
     * @param reason for the log and for the session's record
     */
    public void end(String reason) {
        closer.accept(reason);
    }

    /** Bytes of the session have been read, or its connection has been accepted. */
    public void receivedAt(long micros) {
        lastByteAtMicros = micros;
    }

    /** Returns when the last byte was read from the connection, in microseconds since 1970. */
    public long lastByteAtMicros() {
        return lastByteAtMicros;
    }

    @Override
    public String toString() {
        return router() + " (" + address.getHostAddress() + ", session " + id + ")";
    }
}
