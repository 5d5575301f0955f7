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
    private final SendBuffer sendBuffer;
    private volatile @Nullable NettyFfProducer producer;
    private int users;

    /** @param number of the endpoint in its component, from 1 */
    public NettyFfEndpoint(String uri, NettyFfComponent component, NettyFfConfiguration configuration, int number) {
        super(uri, component, configuration);
        this.configuration = configuration;
        this.number = number;
        sendBuffer = new SendBuffer(configuration, PooledByteBufAllocator.DEFAULT, this::connect);
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

    SendBuffer sendBuffer() {
        return sendBuffer;
    }

    /** Returns the peer's address, such as {@code tcp://127.0.0.1:11019}. */
    public String getAddress() {
        return configuration.getProtocol() + "://" + configuration.getHost() + ":" + configuration.getPort();
    }

    @Override
    public Producer createProducer() {
        return new DelegatingProducer(this);
    }

    @Override
    public Consumer createConsumer(Processor processor) {
        throw new UnsupportedOperationException("netty-ff has no consumer; use netty: to receive");
    }

    @Override
    protected String createEndpointUri() {
        return "netty-ff:" + getAddress();
    }

    /** Returns the endpoint's producer; starts it for the first user. */
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

    /** Stops the endpoint's producer after its last user. */
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
        return sendBuffer.statistics();
    }

    /** Waits until all accepted messages are written or have failed. Returns false on timeout. */
    public boolean flush(Duration timeout) throws InterruptedException {
        return sendBuffer.drain(timeout.toNanos());
    }

    @ManagedOperation(
            description = "Waits until all accepted messages are written or have failed; returns false on timeout")
    public boolean flush(long millis) throws InterruptedException {
        return sendBuffer.drain(TimeUnit.MILLISECONDS.toNanos(millis));
    }

    @ManagedAttribute(description = "Messages accepted for sending")
    public long getAccepted() {
        return getStatistics().accepted();
    }

    @ManagedAttribute(description = "Messages written to the socket")
    public long getWritten() {
        return getStatistics().written();
    }

    @ManagedAttribute(description = "Messages accepted but lost before they were written")
    public long getFailed() {
        return getStatistics().failed();
    }

    @ManagedAttribute(description = "Messages dropped because the buffer was full")
    public long getDropped() {
        return getStatistics().dropped();
    }

    @ManagedAttribute(description = "Messages rejected, whose exchange failed")
    public long getRejected() {
        return getStatistics().rejected();
    }

    @ManagedAttribute(description = "Messages accepted and not yet written or lost")
    public long getPending() {
        return getStatistics().pending();
    }

    @ManagedAttribute(description = "Bytes of the pending messages")
    public long getPendingBytes() {
        return getStatistics().pendingBytes();
    }

    @ManagedAttribute(description = "Buffers handed to the socket")
    public long getFlushes() {
        return getStatistics().flushes();
    }

    @ManagedAttribute(description = "Connections after the first")
    public long getReconnects() {
        return getStatistics().reconnects();
    }

    @ManagedAttribute(description = "Milliseconds that senders have waited for space")
    public long getBlockedMillis() {
        return TimeUnit.NANOSECONDS.toMillis(getStatistics().blockedNanos());
    }
}
