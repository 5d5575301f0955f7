package dev.silkroute.collector.transport;

import dev.silkroute.collector.gate.ConnectionGate;
import dev.silkroute.collector.gate.RouterAccess;
import dev.silkroute.collector.sessions.OpenSession;
import dev.silkroute.collector.sessions.SessionRegistry;
import dev.silkroute.collector.turns.TurnQueue;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import java.util.function.Function;

/**
 * Creates the first handler of each connection: the {@link ConnectionGate}, which the frame handler replaces once the
 * connection is admitted. Thread-safe.
 */
public final class ConnectionHandlers {
    private final SessionLimits limits;
    private final MemoryBudget budget;
    private final SessionRegistry sessions;
    private final TurnQueue turns;
    private final Function<Channel, OpenSession> open;
    private final Function<Channel, RouterAccess> accesses;

    /**
     * @param open creates the session of an admitted connection; called on the connection's event loop
     * @param accesses returns the rules that apply to a connection: which addresses may connect, and whether PROXY
     *     protocol and TLS are required of them
     */
    public ConnectionHandlers(
            SessionLimits limits,
            MemoryBudget budget,
            SessionRegistry sessions,
            TurnQueue turns,
            Function<Channel, OpenSession> open,
            Function<Channel, RouterAccess> accesses) {
        this.limits = limits;
        this.budget = budget;
        this.sessions = sessions;
        this.turns = turns;
        this.open = open;
        this.accesses = accesses;
    }

    /** Returns a new handler for a connection that is not active yet. */
    public ChannelHandler newHandler() {
        return new ConnectionGate(accesses, limits.silence(), sessions, this::frameHandler);
    }

    private ChannelHandler frameHandler() {
        return new BmpFrameHandler(limits, budget, sessions, turns, open);
    }
}
