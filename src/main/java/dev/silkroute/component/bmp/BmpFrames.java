package dev.silkroute.component.bmp;

import dev.silkroute.collector.transport.ConnectionHandlers;
import io.netty.channel.ChannelHandler;
import org.apache.camel.component.netty.ChannelHandlerFactory;
import org.apache.camel.component.netty.DefaultChannelHandlerFactory;

/**
 * Adapts {@link ConnectionHandlers} to camel-netty. Bind it as {@code bmpFrames} and refer to it by {@code
 * netty:…?decoders=#bmpFrames}; the consumer then receives {@link dev.silkroute.collector.transport.FrameBatch}es.
 */
public final class BmpFrames extends DefaultChannelHandlerFactory implements ChannelHandlerFactory {
    private final ConnectionHandlers connections;

    public BmpFrames(ConnectionHandlers connections) {
        this.connections = connections;
    }

    @Override
    public ChannelHandler newChannelHandler() {
        return connections.newHandler();
    }
}
