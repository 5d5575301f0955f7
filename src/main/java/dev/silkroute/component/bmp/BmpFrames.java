package dev.silkroute.component.bmp;

import dev.silkroute.collector.transport.RouterConnections;
import io.netty.channel.ChannelHandler;
import org.apache.camel.component.netty.ChannelHandlerFactory;
import org.apache.camel.component.netty.DefaultChannelHandlerFactory;

/**
 * Adapts {@link RouterConnections} to camel-netty. Bind it as {@code bmpFrames} and refer to it by
 * {@code netty:…?decoders=#bmpFrames}; the consumer then receives {@link dev.silkroute.collector.transport.FrameBatch}es.
 */
public final class BmpFrames extends DefaultChannelHandlerFactory implements ChannelHandlerFactory {
    private final RouterConnections connections;

    public BmpFrames(RouterConnections connections) {
        this.connections = connections;
    }

    @Override
    public ChannelHandler newChannelHandler() {
        return connections.newHandler();
    }
}
