package dev.silkroute.component.nettyff;

import io.netty.buffer.PooledByteBufAllocator;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.camel.Category;
import org.apache.camel.Consumer;
import org.apache.camel.Processor;
import org.apache.camel.Producer;
import org.apache.camel.api.management.ManagedAttribute;
import org.apache.camel.api.management.ManagedOperation;
import org.apache.camel.api.management.ManagedResource;
import org.apache.camel.component.netty.NettyEndpoint;
import org.apache.camel.spi.Metadata;
import org.apache.camel.spi.UriEndpoint;
import org.apache.camel.spi.UriParam;
import org.jspecify.annotations.Nullable;

/**
 * Send bytes over one TCP connection without waiting for them to be written: fire and forget.
 *
 * <p>One connection for the endpoint, from the first of its producers that starts to the last that stops.
 */
@ManagedResource(description = "Managed netty-ff endpoint")
@UriEndpoint(
        firstVersion = "0.1.0",
        scheme = "netty-ff",
        extendsScheme = "netty",
        title = "Netty, fire and forget",
        syntax = "netty-ff:protocol://host:port",
        producerOnly = true,
        category = {Category.NETWORKING},
        headersClass = NettyFfConstants.class)
@Metadata(
        excludeProperties =
                "sync,textline,delimiter,autoAppendDelimiter,decoderMaxLineLength,encoding,encoders,disconnect,reuseChannel,"
                        + "requestTimeout,correlationManager,transferExchange,allowSerializedHeaders,allowDefaultCodec,"
                        + "producerPoolEnabled,producerPoolMaxTotal,producerPoolMinIdle,producerPoolMaxIdle,producerPoolMaxWait,"
                        + "producerPoolMinEvictableIdle,producerPoolBlockWhenExhausted,udpConnectionlessSending,"
                        + "udpByteArrayCodec,useByteBuf,clientMode,broadcast,networkInterface")
public class NettyFfEndpoint extends NettyEndpoint {
    @UriParam
    private final NettyFfConfiguration configuration;

    private final int number;
    private final Outbox outbox;
    private volatile @Nullable NettyFfProducer producer;
    private int users;

    /** @param number of the endpoint in its component, from 1 */
    public NettyFfEndpoint(String uri, NettyFfComponent component, NettyFfConfiguration configuration, int number) {
        super(uri, component, configuration);
        this.configuration = configuration;
        this.number = number;
        outbox = new Outbox(configuration, PooledByteBufAllocator.DEFAULT, this::connect);
    }

    @Override
    public NettyFfConfiguration getConfiguration() {
        return configuration;
    }

    @Override
    public NettyFfComponent getComponent() {
        return (NettyFfComponent) super.getComponent();
    }

    int number() {
        return number;
    }

    Outbox outbox() {
        return outbox;
    }

    /** Such as {@code tcp://127.0.0.1:11019}. */
    public String getAddress() {
        return configuration.getProtocol() + "://" + configuration.getHost() + ":" + configuration.getPort();
    }

    @Override
    public Producer createProducer() {
        return new SharedProducer(this);
    }

    @Override
    public Consumer createConsumer(Processor processor) {
        throw new UnsupportedOperationException("netty-ff only sends; to receive there is netty:");
    }

    @Override
    protected String createEndpointUri() {
        return "netty-ff:" + getAddress();
    }

    /** One more wants to send: the first starts the producer that has the connection. */
    synchronized NettyFfProducer acquire() throws Exception {
        NettyFfProducer shared = producer;
        if (shared == null) {
            shared = new NettyFfProducer(this, configuration);
            producer = shared;
            try {
                shared.start();
            } catch (Exception e) {
                producer = null;
                shared.stop();
                throw e;
            }
        }
        users++;
        return shared;
    }

    /** One fewer: the last stops it. */
    void release() {
        NettyFfProducer last = null;
        synchronized (this) {
            if (--users == 0) {
                last = producer;
                producer = null;
            }
        }
        if (last != null) {
            last.stop();
        }
    }

    private void connect() {
        NettyFfProducer shared = producer;
        if (shared != null) {
            shared.connectSoon();
        }
    }

    public NettyFfStatistics getStatistics() {
        return outbox.statistics();
    }

    /** Waits until all accepted messages are written or have failed; whether they are, in time. */
    public boolean flush(Duration timeout) throws InterruptedException {
        return outbox.drain(timeout.toNanos());
    }

    @ManagedOperation(
            description = "Waits until all accepted messages are written or have failed; whether they are, in time")
    public boolean flush(long millis) throws InterruptedException {
        return outbox.drain(TimeUnit.MILLISECONDS.toNanos(millis));
    }

    @ManagedAttribute(description = "Messages whose exchange was told that all is well")
    public long getAccepted() {
        return getStatistics().accepted();
    }

    @ManagedAttribute(description = "Messages that the kernel has taken")
    public long getWritten() {
        return getStatistics().written();
    }

    @ManagedAttribute(description = "Messages accepted and lost")
    public long getFailed() {
        return getStatistics().failed();
    }

    @ManagedAttribute(description = "Messages dropped for want of room")
    public long getDropped() {
        return getStatistics().dropped();
    }

    @ManagedAttribute(description = "Messages whose exchange failed")
    public long getRefused() {
        return getStatistics().refused();
    }

    @ManagedAttribute(description = "Messages accepted and neither written nor lost so far")
    public long getPending() {
        return getStatistics().pending();
    }

    @ManagedAttribute(description = "Bytes of the pending messages")
    public long getPendingBytes() {
        return getStatistics().pendingBytes();
    }

    @ManagedAttribute(description = "How often buffers were handed to the socket")
    public long getFlushes() {
        return getStatistics().flushes();
    }

    @ManagedAttribute(description = "Connections after the first")
    public long getReconnects() {
        return getStatistics().reconnects();
    }

    @ManagedAttribute(description = "Milliseconds that senders have waited for room, together")
    public long getBlockedMillis() {
        return TimeUnit.NANOSECONDS.toMillis(getStatistics().blockedNanos());
    }
}
