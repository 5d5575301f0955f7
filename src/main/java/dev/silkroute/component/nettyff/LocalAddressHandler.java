package dev.silkroute.component.nettyff;

import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;

/**
 * Binds outgoing connections to a local address, which camel-netty's bootstrap has no option for. The port is any free
 * one.
 */
@Sharable
final class LocalAddressHandler extends ChannelOutboundHandlerAdapter {
    private final InetAddress address;

    LocalAddressHandler(InetAddress address) {
        this.address = address;
    }

    @Override
    public void connect(ChannelHandlerContext ctx, SocketAddress to, SocketAddress from, ChannelPromise promise) {
        ctx.connect(to, new InetSocketAddress(address, 0), promise);
    }
}
