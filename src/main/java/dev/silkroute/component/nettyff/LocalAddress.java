package dev.silkroute.component.nettyff;

import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;

/** Connects from an address of our choice, on any free port: camel-netty's bootstrap leaves that to the system. */
@Sharable
final class LocalAddress extends ChannelOutboundHandlerAdapter {
    private final InetAddress address;

    LocalAddress(InetAddress address) {
        this.address = address;
    }

    @Override
    public void connect(ChannelHandlerContext ctx, SocketAddress to, SocketAddress from, ChannelPromise promise) {
        ctx.connect(to, new InetSocketAddress(address, 0), promise);
    }
}
