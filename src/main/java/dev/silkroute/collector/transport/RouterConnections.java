package dev.silkroute.collector.transport;

import dev.silkroute.collector.gate.ConnectionGate;
import dev.silkroute.collector.gate.RouterAccess;
import dev.silkroute.collector.sessions.SessionRegistry;
import dev.silkroute.session.BmpSession;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import java.util.function.Function;

/**
 * Creates the first handler of each accepted connection: the {@link ConnectionGate} if access is restricted in any way, which the
 * {@link BmpFrameHandler} follows, or the frame handler at once. Thread-safe.
 */
public final class RouterConnections {
    private final SessionLimits limits;
    private final MemoryBudget budget;
    private final SessionRegistry sessions;
    private final Function<Channel, BmpSession> open;
    private final RouterAccess access;

    /**
     * @param open creates the BMP session of an admitted connection; called on the connection's event loop
     * @param access which addresses may connect, and whether PROXY protocol and TLS are required of them
     */
    public RouterConnections(
            SessionLimits limits,
            MemoryBudget budget,
            SessionRegistry sessions,
            Function<Channel, BmpSession> open,
            RouterAccess access) {
        this.limits = limits;
        this.budget = budget;
        this.sessions = sessions;
        this.open = open;
        this.access = access;
    }

    /** Returns a new handler for a connection that has just been accepted. */
    public ChannelHandler newHandler() {
        return access.isOpen()
                ? frameHandler()
                : new ConnectionGate(access, limits.silence(), sessions, this::frameHandler);
    }

    private ChannelHandler frameHandler() {
        return new BmpFrameHandler(limits, budget, sessions, open);
    }
}
