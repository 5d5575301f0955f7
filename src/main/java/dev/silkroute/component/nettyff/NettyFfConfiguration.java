package dev.silkroute.component.nettyff;

import io.netty.util.NetUtil;
import java.time.Duration;
import org.apache.camel.component.netty.NettyConfiguration;
import org.apache.camel.spi.Configurer;
import org.apache.camel.spi.UriParam;
import org.apache.camel.spi.UriParams;
import org.jspecify.annotations.Nullable;

/**
 * camel-netty's options with other defaults ({@code sync=false}, no codec, no pool, one worker thread) and the outbox's own.
 * Options that need to know how a write ended are refused.
 */
@UriParams
@Configurer
public class NettyFfConfiguration extends NettyConfiguration {
    @UriParam(
            label = "producer",
            defaultValue = "65536",
            description = "Capacity of a buffer in bytes. Messages are copied into buffers back to back")
    private int bufferSize = 64 * 1024;

    @UriParam(label = "producer", defaultValue = "32768", description = "Once so many bytes wait they are written")
    private int flushBytes = 32 * 1024;

    @UriParam(
            label = "producer",
            defaultValue = "1000",
            description =
                    "Fewer bytes are written after so many microseconds; 0 is as soon as the event loop comes to it")
    private int lingerMicros = 1000;

    @UriParam(
            label = "producer",
            defaultValue = "1048576",
            description = "Most bytes accepted and not yet written, those in the socket's queue included")
    private int maxPendingBytes = 1024 * 1024;

    @UriParam(
            label = "producer",
            defaultValue = "BLOCK",
            enums = "BLOCK,FAIL,DROP",
            description =
                    "What happens to a message that would exceed maxPendingBytes: BLOCK lets the sender wait, FAIL fails its exchange, DROP drops it and counts it")
    private Overflow overflow = Overflow.BLOCK;

    @UriParam(
            label = "producer",
            defaultValue = "10s",
            description = "How long a sender may wait for room before its exchange fails")
    private Duration sendTimeout = Duration.ofMillis(10_000);

    @UriParam(
            label = "producer",
            defaultValue = "5s",
            description =
                    "How long stopping or suspending waits for accepted messages to be written; what is left has failed")
    private Duration drainTimeout = Duration.ofMillis(5_000);

    @UriParam(
            label = "producer",
            defaultValue = "500ms",
            description =
                    "After a connection ended or could not be made, how long until the next try. Doubles with each that fails")
    private Duration reconnectBackoff = Duration.ofMillis(500);

    @UriParam(label = "producer", defaultValue = "30s", description = "Longest time between two tries")
    private Duration maxReconnectBackoff = Duration.ofMillis(30_000);

    @UriParam(
            label = "producer",
            description =
                    "Endpoint that gets an exchange for each connection that took accepted messages with it: headers say how many and why")
    private @Nullable String onFailure;

    @UriParam(label = "producer", description = "Endpoint that gets an exchange for each connection after the first")
    private @Nullable String onReconnect;

    @UriParam(
            label = "producer,advanced",
            description = "Address of this machine to connect from, no name; by default the system chooses")
    private @Nullable String localAddress;

    public NettyFfConfiguration() {
        setProtocol("tcp");
        setSync(false);
        setAllowDefaultCodec(false);
        setProducerPoolEnabled(false);
        setUsingExecutorService(false);
        setWorkerCount(1);
    }

    @Override
    public NettyFfConfiguration copy() {
        return (NettyFfConfiguration) super.copy();
    }

    /** @throws IllegalArgumentException if an option makes no sense, or none here */
    @Override
    public void validateConfiguration() {
        super.validateConfiguration();
        refuse(
                !"tcp".equalsIgnoreCase(getProtocol()),
                "protocol " + getProtocol(),
                "one TCP connection is what it keeps");
        refuse(isSync(), "sync=true", "there is no reply to wait for");
        refuse(isDisconnect(), "disconnect=true", "the connection is kept, and when a message is out nobody knows");
        refuse(isReuseChannel(), "reuseChannel=true", "all exchanges share the one connection");
        refuse(isProducerPoolEnabled(), "producerPoolEnabled=true", "a pool has several connections and no order");
        refuse(getRequestTimeout() != 0, "requestTimeout", "there is no reply to wait for");
        refuse(getCorrelationManager() != null, "correlationManager", "there is no reply to correlate");
        refuse(isUdpConnectionlessSending(), "udpConnectionlessSending=true", "one TCP connection is what it keeps");
        refuse(isTransferExchange(), "transferExchange=true", "it sends bytes");
        refuse(isTextline(), "textline=true", "it sends bytes");
        refuse(
                isAllowDefaultCodec() || !getEncodersAsList().isEmpty(),
                isAllowDefaultCodec() ? "allowDefaultCodec=true" : "encoders",
                "messages are joined before they reach the pipeline");
        require(bufferSize >= 256, "bufferSize must be 256 or more, not " + bufferSize);
        require(flushBytes >= 1, "flushBytes must be 1 or more, not " + flushBytes);
        require(lingerMicros >= 0, "lingerMicros must not be negative, as " + lingerMicros + " is");
        require(
                maxPendingBytes >= flushBytes,
                "maxPendingBytes=" + maxPendingBytes + " must not be below flushBytes=" + flushBytes);
        require(!sendTimeout.isNegative(), "sendTimeout must not be negative");
        require(!drainTimeout.isNegative(), "drainTimeout must not be negative");
        require(reconnectBackoff.toMillis() >= 1, "reconnectBackoff must be 1 ms or more");
        require(
                maxReconnectBackoff.compareTo(reconnectBackoff) >= 0,
                "maxReconnectBackoff must not be below reconnectBackoff");
        require(
                localAddress == null
                        || NetUtil.isValidIpV4Address(localAddress)
                        || NetUtil.isValidIpV6Address(localAddress),
                "localAddress must be an address, not " + localAddress);
    }

    private static void refuse(boolean given, String option, String reason) {
        require(!given, "netty-ff does not take " + option + ": " + reason);
    }

    private static void require(boolean met, String otherwise) {
        if (!met) {
            throw new IllegalArgumentException(otherwise);
        }
    }

    public int getBufferSize() {
        return bufferSize;
    }

    public void setBufferSize(int bufferSize) {
        this.bufferSize = bufferSize;
    }

    public int getFlushBytes() {
        return flushBytes;
    }

    public void setFlushBytes(int flushBytes) {
        this.flushBytes = flushBytes;
    }

    public int getLingerMicros() {
        return lingerMicros;
    }

    public void setLingerMicros(int lingerMicros) {
        this.lingerMicros = lingerMicros;
    }

    public int getMaxPendingBytes() {
        return maxPendingBytes;
    }

    public void setMaxPendingBytes(int maxPendingBytes) {
        this.maxPendingBytes = maxPendingBytes;
    }

    public Overflow getOverflow() {
        return overflow;
    }

    public void setOverflow(Overflow overflow) {
        this.overflow = overflow;
    }

    public Duration getSendTimeout() {
        return sendTimeout;
    }

    public void setSendTimeout(Duration sendTimeout) {
        this.sendTimeout = sendTimeout;
    }

    public Duration getDrainTimeout() {
        return drainTimeout;
    }

    public void setDrainTimeout(Duration drainTimeout) {
        this.drainTimeout = drainTimeout;
    }

    public Duration getReconnectBackoff() {
        return reconnectBackoff;
    }

    public void setReconnectBackoff(Duration reconnectBackoff) {
        this.reconnectBackoff = reconnectBackoff;
    }

    public Duration getMaxReconnectBackoff() {
        return maxReconnectBackoff;
    }

    public void setMaxReconnectBackoff(Duration maxReconnectBackoff) {
        this.maxReconnectBackoff = maxReconnectBackoff;
    }

    public @Nullable String getOnFailure() {
        return onFailure;
    }

    public void setOnFailure(@Nullable String onFailure) {
        this.onFailure = onFailure;
    }

    public @Nullable String getOnReconnect() {
        return onReconnect;
    }

    public void setOnReconnect(@Nullable String onReconnect) {
        this.onReconnect = onReconnect;
    }

    public @Nullable String getLocalAddress() {
        return localAddress;
    }

    public void setLocalAddress(@Nullable String localAddress) {
        this.localAddress = localAddress;
    }
}
