package dev.silkroute.component.replay;

import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.DuplexChannel;
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
 * Makes camel-netty's producer fit for a BMP session, as a handler in its pipeline ({@code decoders=}) and as the step
 * after it. One object for one route.
 * <ul>
 *   <li>One connection for one pass: the producer would connect again when the station hangs up and go on in the middle
 *       of the stream. A BMP session starts from its Initiation, so that second connection is refused and the exchange
 *       fails with {@link ConnectionLostException}.
 *   <li>One way: whatever the station sends is dropped. The producer would take it for the answer to its last write.
 *   <li>As the step after the producer, on the chunk that says so ({@link ReplayConstants#CLOSE}): no more to send
 *       (FIN), then waits until the station closes too. A reset then says that it has not read everything. (One that
 *       says FIN before it resets looks as if it had: no more can be known from this side.)
 * </ul>
 */
@Sharable
public final class ReplayConnection extends ChannelDuplexHandler implements AsyncProcessor {
    private volatile long closeTimeoutMillis = 10_000;
    private volatile @Nullable Channel channel;
    private volatile @Nullable Throwable lost;

    public long getCloseTimeoutMillis() {
        return closeTimeoutMillis;
    }

    /** How long a station may take to close after the last byte before the connection is closed on it. */
    public void setCloseTimeoutMillis(long closeTimeoutMillis) {
        this.closeTimeoutMillis = closeTimeoutMillis;
    }

    @Override
    public void connect(ChannelHandlerContext ctx, SocketAddress to, SocketAddress from, ChannelPromise promise)
            throws Exception {
        if (channel != null) {
            promise.setFailure(new ConnectionLostException(lost));
            return;
        }
        super.connect(ctx, to, from, promise);
    }

    /** The first write comes before {@code channelActive}: it follows the connect at once, on the same thread. */
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
        lost = cause;
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
        Future<?> patience = open.eventLoop().schedule(() -> open.close(), closeTimeoutMillis, TimeUnit.MILLISECONDS);
        open.closeFuture().addListener(closed -> {
            patience.cancel(false);
            channel = null;
            if (lost != null) {
                exchange.setException(new ConnectionLostException(lost));
            }
            callback.done(false);
        });
        if (open instanceof DuplexChannel duplex) {
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
