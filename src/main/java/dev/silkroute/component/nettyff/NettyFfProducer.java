package dev.silkroute.component.nettyff;

import dev.silkroute.component.MeterGroup;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.EventLoop;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.NetUtil;
import io.netty.util.internal.ThreadExecutorMap;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.camel.AsyncCallback;
import org.apache.camel.Exchange;
import org.apache.camel.Message;
import org.apache.camel.component.netty.NettyConstants;
import org.apache.camel.component.netty.NettyProducer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Completes an exchange on the sender's thread as soon as its message is in the {@link SendBuffer}, and maintains the
 * endpoint's single connection: connects, reconnects with a back-off, and closes. Bootstrap, pipeline, TLS and worker
 * threads are inherited from camel-netty's producer; its channel pool is not used.
 */
public class NettyFfProducer extends NettyProducer {
    private static final Logger LOGGER = LoggerFactory.getLogger(NettyFfProducer.class);
    private static final String CAMEL_HANDLER = "handler";
    private static final long CLOSE_SECONDS = 5;

    private final NettyFfEndpoint endpoint;
    private final NettyFfConfiguration options;
    private final SendBuffer sendBuffer;
    private final FailureNotifier notifier;
    private Runnable unregisterMetrics = () -> {};
    private volatile @Nullable Channel channel;
    private volatile boolean closed;
    private volatile long backoff;

    NettyFfProducer(NettyFfEndpoint endpoint, NettyFfConfiguration options) {
        super(endpoint, inherited(options));
        this.endpoint = endpoint;
        this.options = options;
        sendBuffer = endpoint.sendBuffer();
        notifier = new FailureNotifier(endpoint);
    }

    /** Returns the options for the inherited producer, which otherwise would connect at start to fill its pool. */
    private static NettyFfConfiguration inherited(NettyFfConfiguration options) {
        NettyFfConfiguration inherited = options.copy();
        inherited.setLazyChannelCreation(true);
        if (options.getLocalAddress() != null) {
            inherited.addDecoder(
                    new LocalAddressHandler(NetUtil.createInetAddressFromIpAddressString(options.getLocalAddress())));
        }
        return inherited;
    }

    @Override
    public boolean process(Exchange exchange, AsyncCallback callback) {
        Message message = exchange.getIn();
        Object body = message.getBody();
        try {
            requireOneWay(exchange, message);
            if (Payload.isMessage(body)) {
                sendBuffer.send(body, count(message));
            } else {
                sendBuffer.sendAll(messages(message, body));
            }
        } catch (Exception e) {
            exchange.setException(e);
        } finally {
            Payload.release(body);
        }
        callback.done(true);
        return true;
    }

    private static void requireOneWay(Exchange exchange, Message message) {
        if (exchange.isTransacted()) {
            throw new IllegalStateException(
                    "netty-ff cannot be part of a transaction: an exchange is done before its message is written");
        }
        if (exchange.getPattern().isOutCapable()) {
            throw new IllegalStateException(
                    "netty-ff has no reply: send InOnly, or set exchangePattern=InOnly on the step");
        }
        if (message.hasHeaders()
                && (message.getHeader(NettyConstants.NETTY_CLOSE_CHANNEL_WHEN_COMPLETE) != null
                        || message.getHeader(NettyConstants.NETTY_REQUEST_TIMEOUT) != null)) {
            throw new IllegalStateException("netty-ff does not support the headers "
                    + NettyConstants.NETTY_CLOSE_CHANNEL_WHEN_COMPLETE + " and " + NettyConstants.NETTY_REQUEST_TIMEOUT
                    + ": it does not wait until a message is written");
        }
    }

    private static int count(Message message) {
        if (!message.hasHeaders()) {
            return 1;
        }
        int count = message.getHeader(NettyFfConstants.MESSAGES, 1, Integer.class);
        if (count < 1) {
            throw new IllegalArgumentException(NettyFfConstants.MESSAGES + " must be 1 or more, not " + count);
        }
        return count;
    }

    private static List<?> messages(Message message, @Nullable Object body) throws Exception {
        if (body instanceof List<?> list) {
            return list;
        }
        return body instanceof Object[] array ? Arrays.asList(array) : List.of(message.getMandatoryBody(byte[].class));
    }

    @Override
    protected void doStart() throws Exception {
        super.doStart();
        closed = false;
        backoff = options.getReconnectBackoff().toMillis();
        if (MeterGroup.isAvailable(endpoint.getCamelContext())) {
            unregisterMetrics = NettyFfMeters.bind(endpoint);
        }
        sendBuffer.start();
        if (!options.isLazyChannelCreation() && sendBuffer.beginConnecting()) {
            connect().get();
        }
    }

    void connectSoon() {
        endpoint.getComponent().connector().execute(this::tryConnect);
    }

    private void tryConnect() {
        try {
            connect();
        } catch (Exception e) {
            LOGGER.debug("Cannot start a connection attempt to {}", endpoint.getAddress(), e);
        }
    }

    private ChannelFuture connect() throws Exception {
        try {
            return openConnection().addListener(done -> opened((ChannelFuture) done));
        } catch (Exception e) {
            lost(null, e);
            throw e;
        }
    }

    /** Called on the event loop when an attempt has ended, before the channel becomes active. */
    private void opened(ChannelFuture future) throws Exception {
        if (!future.isSuccess()) {
            lost(null, future.cause());
            return;
        }
        Channel opened = future.channel();
        notifyChannelOpen(future);
        Connection connection = new Connection(sendBuffer, opened);
        ChannelPipeline pipeline = opened.pipeline();
        if (pipeline.get(CAMEL_HANDLER) == null) {
            pipeline.addLast(connection);
        } else {
            pipeline.addBefore(CAMEL_HANDLER, "netty-ff", connection);
        }
        channel = opened;
        SslHandler tls = pipeline.get(SslHandler.class);
        if (tls == null) {
            opened.closeFuture().addListener(_ -> lost(connection, cause(connection)));
        } else {
            // A peer that rejects the certificate sends an alert and closes. A write that fails for that must not close
            // the channel before the alert is read. Nor may a close overtake a peer that still verifies the
            // certificate, which then would discard everything that it has received.
            opened.config().setAutoClose(false);
            tls.setCloseNotifyReadTimeout(CLOSE_SECONDS, TimeUnit.SECONDS);
            // A failure of TLS, such as the alert of a peer that rejects the certificate, follows the close.
            opened.closeFuture()
                    .addListener(_ -> opened.eventLoop().execute(() -> lost(connection, cause(connection))));
        }
        if (!sendBuffer.connected(connection.scheduler())) {
            opened.close();
            return;
        }
        if (sendBuffer.statistics().reconnects() > 0) {
            LOGGER.info("Reconnected to {}", endpoint.getAddress());
            notifier.reconnected();
        }
    }

    private static Throwable cause(Connection connection) {
        Throwable cause = connection.cause();
        return cause != null ? cause : new IOException("the peer closed the connection");
    }

    /**
     * Called for each connection that ended, with no effect after the first call.
     *
     * @param connection null if the connection could not be established
     */
    private void lost(@Nullable Connection connection, Throwable cause) {
        LostMessages lost = sendBuffer.lost(connection == null ? null : connection.scheduler(), cause);
        if (lost == null || closed) {
            return;
        }
        if (connection == null) {
            LOGGER.warn(
                    "Cannot connect to {}: {}; {} messages lost",
                    endpoint.getAddress(),
                    cause.getMessage(),
                    lost.messages());
        } else {
            LOGGER.warn(
                    "Connection to {} lost: {}; {} messages lost",
                    endpoint.getAddress(),
                    cause.getMessage(),
                    lost.messages());
            backoff = options.getReconnectBackoff().toMillis();
        }
        notifier.lost(lost);
        if (options.isReconnect()) {
            reconnectAfter(backoff);
            backoff = Math.min(backoff * 2, options.getMaxReconnectBackoff().toMillis());
        }
    }

    private void reconnectAfter(long millis) {
        try {
            endpoint.getComponent()
                    .connector()
                    .schedule(
                            () -> {
                                if (!closed && sendBuffer.beginConnecting()) {
                                    tryConnect();
                                }
                            },
                            millis,
                            TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            LOGGER.debug("The component is stopping; not reconnecting to {}", endpoint.getAddress(), e);
        }
    }

    /** Waits until everything is written. On timeout the rest fails and the connection is closed. */
    void drainOrClose(String what) throws Exception {
        if (ThreadExecutorMap.currentExecutor() instanceof EventLoop || !sendBuffer.drain(drainNanos())) {
            close(sendBuffer.abandon(new IOException("the endpoint was " + what + " before they were written")));
        }
    }

    private long drainNanos() {
        return options.getDrainTimeout().toNanos();
    }

    private void close(LostMessages lost) {
        if (lost.messages() > 0) {
            LOGGER.warn(
                    "{} messages to {} lost: {}",
                    lost.messages(),
                    endpoint.getAddress(),
                    lost.cause().getMessage());
            notifier.lost(lost);
        }
        Channel open = channel;
        if (open != null) {
            ChannelFuture ended = open.close();
            if (!(ThreadExecutorMap.currentExecutor() instanceof EventLoop)) {
                ended.awaitUninterruptibly(CLOSE_SECONDS, TimeUnit.SECONDS);
            }
        }
    }

    @Override
    protected void doStop() throws Exception {
        sendBuffer.stop();
        drainOrClose("stopped");
        closed = true;
        close(sendBuffer.abandon(new ClosedChannelException()));
        notifier.stop();
        unregisterMetrics.run();
        super.doStop();
    }
}
