package dev.silkroute.component.bmp;

import dev.silkroute.session.BmpSession;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import java.net.InetAddress;
import java.util.function.Function;
import org.apache.camel.component.netty.ChannelHandlerFactory;
import org.apache.camel.component.netty.DefaultChannelHandlerFactory;

/** Makes the frame decoder of each connection, behind a gate if not everybody may connect; bound as {@code bmpFrames} for {@code netty:…?decoders=#bmpFrames}. */
public final class BmpFrames extends DefaultChannelHandlerFactory implements ChannelHandlerFactory {
    private final SessionLimits limits;
    private final MemoryBudget budget;
    private final Sessions sessions;
    private final Function<Channel, BmpSession> open;
    private final RouterAccess access;

    /**
     * @param open starts the session of a connection
     * @param access who may connect
     */
    public BmpFrames(
            SessionLimits limits,
            MemoryBudget budget,
            Sessions sessions,
            Function<Channel, BmpSession> open,
            RouterAccess access) {
        this.limits = limits;
        this.budget = budget;
        this.sessions = sessions;
        this.open = open;
        this.access = access;
    }

    /** Where a connection's router is. */
    public static InetAddress routerAddress(Channel connection) {
        return ConnectionGate.routerAddress(connection);
    }

    @Override
    public ChannelHandler newChannelHandler() {
        return access.isOpen() ? frames() : new ConnectionGate(access, limits.silence(), sessions, this::frames);
    }

    private ChannelHandler frames() {
        return new BmpFrameHandler(limits, budget, sessions, open);
    }
}
