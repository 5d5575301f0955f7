package dev.silkroute.component.bmp;

import dev.silkroute.session.BmpSession;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import java.util.function.Function;
import org.apache.camel.component.netty.ChannelHandlerFactory;
import org.apache.camel.component.netty.DefaultChannelHandlerFactory;

/** Makes the frame decoder of each connection; bound as {@code bmpFrames} for {@code netty:…?decoders=#bmpFrames}. */
public final class BmpFrames extends DefaultChannelHandlerFactory implements ChannelHandlerFactory {
    private final SessionLimits limits;
    private final MemoryBudget budget;
    private final Sessions sessions;
    private final Function<Channel, BmpSession> open;

    /** @param open starts the session of a connection */
    public BmpFrames(SessionLimits limits, MemoryBudget budget, Sessions sessions, Function<Channel, BmpSession> open) {
        this.limits = limits;
        this.budget = budget;
        this.sessions = sessions;
        this.open = open;
    }

    @Override
    public ChannelHandler newChannelHandler() {
        return new BmpFrameHandler(limits, budget, sessions, open);
    }
}
