package dev.silkroute.collector.gate;

import dev.silkroute.collector.sessions.OpenSession;
import dev.silkroute.collector.sessions.SessionRegistry;
import dev.silkroute.collector.transport.ConnectionHandlers;
import dev.silkroute.collector.transport.MemoryBudget;
import dev.silkroute.collector.transport.SessionLimits;
import dev.silkroute.collector.turns.TurnQueue;
import dev.silkroute.session.SessionConfig;
import dev.silkroute.session.identity.RouterIdentifier;
import dev.silkroute.session.identity.RouterValues;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** Connections through a {@link ConnectionGate}, seen from the station's side. */
final class GatedConnection {
    /** The time-out of each step. */
    static final Duration TIMEOUT = Duration.ofSeconds(60);

    private static final AtomicLong IDS = new AtomicLong();

    private GatedConnection() {}

    static EmbeddedChannel from(String address, SessionRegistry sessions, RouterAccess access) {
        ConnectionHandlers connections = new ConnectionHandlers(
                new SessionLimits(10_000, 20_000, 5_000, TIMEOUT),
                new MemoryBudget(1 << 20, 1 << 18),
                sessions,
                new TurnQueue(),
                connection -> new OpenSession(
                        new SessionConfig("col", 10),
                        new RouterIdentifier(
                                ConnectionGate.routerAddress(connection),
                                RouterValues.NONE,
                                true,
                                ConnectionGate.certifiedName(connection)),
                        IDS.incrementAndGet(),
                        ConnectionGate.routerAddress(connection)),
                connection -> access);
        return new EmbeddedChannel(connections.newHandler()) {
            @Override
            protected SocketAddress remoteAddress0() {
                return new InetSocketAddress(address, 40_000);
            }
        };
    }
}
