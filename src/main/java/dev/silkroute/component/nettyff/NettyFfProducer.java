package dev.silkroute.component.nettyff;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.EventLoop;
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
 * camel-netty's producer, changed: an exchange is done, on the sender's thread, once its message is in the outbox. Has the
 * endpoint's one connection in place of a pool; bootstrap, pipeline, TLS and worker threads are the inherited ones.
 */
public class NettyFfProducer extends NettyProducer {
    private static final Logger LOGGER = LoggerFactory.getLogger(NettyFfProducer.class);
    private static final String CAMEL_HANDLER = "handler";
    private static final long CLOSE_SECONDS = 5;

    private final NettyFfEndpoint endpoint;
    private final NettyFfConfiguration options;
    private final Outbox outbox;
    private final Notices notices;
    private Runnable unbindMeters = () -> {};
    private volatile @Nullable Channel channel;
    private volatile boolean closed;
    private volatile long backoff;

    NettyFfProducer(NettyFfEndpoint endpoint, NettyFfConfiguration options) {
        super(endpoint, inherited(options));
        this.endpoint = endpoint;
        this.options = options;
        outbox = endpoint.outbox();
        notices = new Notices(endpoint);
    }

    /** What the inherited producer goes by: it would connect at start, for its pool. */
    private static NettyFfConfiguration inherited(NettyFfConfiguration options) {
        NettyFfConfiguration inherited = options.copy();
        inherited.setLazyChannelCreation(true);
        if (options.getLocalAddress() != null) {
            inherited.addDecoder(
                    new LocalAddress(NetUtil.createInetAddressFromIpAddressString(options.getLocalAddress())));
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
                outbox.send(body, count(message));
            } else {
                outbox.sendAll(messages(message, body));
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
                    "netty-ff can't be part of a transaction: when it answers, nothing has been written yet");
        }
        if (exchange.getPattern().isOutCapable()) {
            throw new IllegalStateException(
                    "netty-ff gives no reply: send InOnly, or set exchangePattern=InOnly on the step");
        }
        if (message.hasHeaders()
                && (message.getHeader(NettyConstants.NETTY_CLOSE_CHANNEL_WHEN_COMPLETE) != null
                        || message.getHeader(NettyConstants.NETTY_REQUEST_TIMEOUT) != null)) {
            throw new IllegalStateException("netty-ff does not take the headers "
                    + NettyConstants.NETTY_CLOSE_CHANNEL_WHEN_COMPLETE + " and " + NettyConstants.NETTY_REQUEST_TIMEOUT
                    + ": it does not know when a message is out");
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
        if (Meters.available(endpoint.getCamelContext())) {
            unbindMeters = Meters.bind(endpoint);
        }
        outbox.start();
        if (!options.isLazyChannelCreation() && outbox.connecting()) {
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
            LOGGER.debug("Could not even try to connect to {}", endpoint.getAddress(), e);
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

    /** On the event loop, before the channel says that it is active. */
    private void opened(ChannelFuture future) throws Exception {
        if (!future.isSuccess()) {
            lost(null, future.cause());
            return;
        }
        Channel opened = future.channel();
        notifyChannelOpen(future);
        Line line = new Line(outbox, opened);
        ChannelPipeline pipeline = opened.pipeline();
        if (pipeline.get(CAMEL_HANDLER) == null) {
            pipeline.addLast(line);
        } else {
            pipeline.addBefore(CAMEL_HANDLER, "netty-ff", line);
        }
        channel = opened;
        opened.closeFuture().addListener(_ -> lost(line, cause(line)));
        if (!outbox.connected(line)) {
            opened.close();
            return;
        }
        if (outbox.statistics().reconnects() > 0) {
            LOGGER.info("Connected to {} again", endpoint.getAddress());
            notices.reconnected();
        }
    }

    private static Throwable cause(Line line) {
        Throwable cause = line.cause();
        return cause != null ? cause : new IOException("the peer closed the connection");
    }

    /** Once for each connection that ended or could not be made. */
    private void lost(@Nullable Line line, Throwable cause) {
        Loss loss = outbox.lost(line, cause);
        if (loss == null || closed) {
            return;
        }
        if (line == null) {
            LOGGER.warn(
                    "No connection to {}: {}; {} messages lost",
                    endpoint.getAddress(),
                    cause.getMessage(),
                    loss.messages());
        } else {
            LOGGER.warn(
                    "Connection to {} lost: {}; {} messages with it",
                    endpoint.getAddress(),
                    cause.getMessage(),
                    loss.messages());
            backoff = options.getReconnectBackoff().toMillis();
        }
        notices.failed(loss);
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
                                if (!closed && outbox.connecting()) {
                                    tryConnect();
                                }
                            },
                            millis,
                            TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            LOGGER.debug("The component stops, {} stays unconnected", endpoint.getAddress(), e);
        }
    }

    /** Waits until all is written; what is not in time has failed, and the connection with it. */
    void drainOrClose(String what) throws Exception {
        if (ThreadExecutorMap.currentExecutor() instanceof EventLoop || !outbox.drain(drainNanos())) {
            end(outbox.abandon(new IOException("the endpoint was " + what + " before they were written")));
        }
    }

    private long drainNanos() {
        return options.getDrainTimeout().toNanos();
    }

    private void end(Loss loss) {
        if (loss.messages() > 0) {
            LOGGER.warn(
                    "{} messages to {} lost: {}",
                    loss.messages(),
                    endpoint.getAddress(),
                    loss.cause().getMessage());
            notices.failed(loss);
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
        outbox.stop();
        drainOrClose("stopped");
        closed = true;
        end(outbox.abandon(new ClosedChannelException()));
        notices.stop();
        unbindMeters.run();
        super.doStop();
    }
}
