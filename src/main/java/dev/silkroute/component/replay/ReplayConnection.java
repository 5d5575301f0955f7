package dev.silkroute.component.replay;

import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.net.SocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.camel.AsyncCallback;
import org.apache.camel.AsyncProcessor;
import org.apache.camel.Exchange;
import org.apache.camel.support.AsyncCallbackToCompletableFutureAdapter;
import org.jspecify.annotations.Nullable;

/**
 * Adapts camel-netty's producer to BMP sessions. It is both a handler in the producer's pipeline ({@code decoders=})
 * and the step after the producer; each route has its own instance. Thread-safe.
 * <ul>
 * <li>A pass has a single connection. When the station closes it, the producer would connect again and continue in the
 *     middle of the stream, but a BMP session starts with its Initiation. The second connection is rejected, and the
 *     exchange fails with {@link       ConnectionLostException}.
 *   <li>Bytes from the station are dropped. The producer would treat them as the reply to its last write.
 * <li>As the step after the producer, on the last chunk ({@link ReplayConstants#CLOSE}), it shuts down the output (FIN,
 *     with TLS close_notify) and waits until the station closes the connection. A reset then means that the station has
 *     not read everything. If the station sends FIN before it resets, that cannot be detected.
 * </ul>
 */
@Sharable
public final class ReplayConnection extends ChannelDuplexHandler implements AsyncProcessor {
    /** The time in which the station has to close the connection after the last byte; then this side closes it. */
    private static final int CLOSE_TIMEOUT_SECONDS = 10;

    private volatile @Nullable Channel channel;
    private volatile @Nullable Throwable lost;

    @Override
    public void connect(ChannelHandlerContext ctx, SocketAddress to, SocketAddress from, ChannelPromise promise)
            throws Exception {
        if (channel != null) {
            promise.setFailure(new ConnectionLostException(lost));
            return;
        }
        super.connect(ctx, to, from, promise);
    }

    /**
     * The first write precedes {@code channelActive}, because it follows the connect on the same thread. With TLS, the
     * handler in front keeps it until the handshake is complete.
     */
    @Override
    public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) throws Exception {
        if (channel == null) {
            channel = ctx.channel();
            lost = null;
        }
        super.write(ctx, message, promise);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ReferenceCountUtil.release(message);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        lost = cause instanceof DecoderException && cause.getCause() != null ? cause.getCause() : cause;
        ctx.close();
    }

    @Override
    public boolean process(Exchange exchange, AsyncCallback callback) {
        Channel open = channel;
        if (open == null || !exchange.getMessage().getHeader(ReplayConstants.CLOSE, false, Boolean.class)) {
            callback.done(true);
            return true;
        }
        open.eventLoop().execute(() -> finish(open, exchange, callback));
        return false;
    }

    private void finish(Channel open, Exchange exchange, AsyncCallback callback) {
        Future<?> timeout = open.eventLoop().schedule(() -> open.close(), CLOSE_TIMEOUT_SECONDS, TimeUnit.SECONDS);
        // A failure of TLS, such as the alert of a station that rejects the certificate, follows the close.
        open.closeFuture()
                .addListener(closed -> open.eventLoop().execute(() -> {
                    timeout.cancel(false);
                    channel = null;
                    if (lost != null) {
                        exchange.setException(new ConnectionLostException(lost));
                    }
                    callback.done(false);
                }));
        SslHandler tls = open.pipeline().get(SslHandler.class);
        if (tls != null) {
            tls.closeOutbound();
        } else if (open instanceof DuplexChannel duplex) {
            duplex.shutdownOutput();
        } else {
            open.close();
        }
    }

    @Override
    public CompletableFuture<Exchange> processAsync(Exchange exchange) {
        var adapter = new AsyncCallbackToCompletableFutureAdapter<>(exchange);
        process(exchange, adapter);
        return adapter.getFuture();
    }

    @Override
    public void process(Exchange exchange) {
        processAsync(exchange).join();
    }
}
