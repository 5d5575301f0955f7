package dev.silkroute.component.nettyff;

import io.netty.util.NetUtil;
import java.time.Duration;
import org.apache.camel.component.netty.NettyConfiguration;
import org.apache.camel.spi.Configurer;
import org.apache.camel.spi.UriParam;
import org.apache.camel.spi.UriParams;
import org.jspecify.annotations.Nullable;

/**
 * camel-netty's options with other defaults ({@code sync=false}, no codec, no pool, one worker thread), and the options
 * of the send buffer. Options that depend on the result of a write are rejected.
 */
@UriParams
@Configurer
public class NettyFfConfiguration extends NettyConfiguration {
    @UriParam(
            defaultValue = "true",
            description = "Whether a lost connection is opened again. Otherwise the endpoint fails from then on.")
    private boolean reconnect = true;

    @UriParam(
            label = "producer",
            defaultValue = "65536",
            description = "Capacity of a buffer in bytes. Messages are copied into buffers back to back")
    private int bufferSize = 64 * 1024;

    @UriParam(
            label = "producer",
            defaultValue = "32768",
            description = "Queued bytes from which on they are written at once")
    private int flushBytes = 32 * 1024;

    @UriParam(
            label = "producer",
            defaultValue = "1000",
            description =
                    "Time in microseconds after which fewer bytes are written; 0 writes as soon as the event loop is free")
    private int lingerMicros = 1000;

    @UriParam(
            label = "producer",
            defaultValue = "1048576",
            description = "Maximum of bytes accepted and not yet written, including those in Netty's outbound buffer")
    private int maxPendingBytes = 1024 * 1024;

    @UriParam(
            label = "producer",
            defaultValue = "BLOCK",
            enums = "BLOCK,FAIL,DROP",
            description =
                    "What happens to a message that would exceed maxPendingBytes: BLOCK makes the sender wait, FAIL fails its exchange, DROP drops and counts it")
    private Overflow overflow = Overflow.BLOCK;

    @UriParam(
            label = "producer",
            defaultValue = "10s",
            description = "Time that a sender waits for space before its exchange fails")
    private Duration sendTimeout = Duration.ofMillis(10_000);

    @UriParam(
            label = "producer",
            defaultValue = "5s",
            description = "Time that stopping or suspending waits for accepted messages to be written; the rest fails")
    private Duration drainTimeout = Duration.ofMillis(5_000);

    @UriParam(
            label = "producer",
            defaultValue = "500ms",
            description = "Delay before the first reconnection attempt. Doubles with each failed attempt")
    private Duration reconnectBackoff = Duration.ofMillis(500);

    @UriParam(label = "producer", defaultValue = "30s", description = "Maximum delay between two reconnection attempts")
    private Duration maxReconnectBackoff = Duration.ofMillis(30_000);

    @UriParam(
            label = "producer",
            description =
                    "Endpoint that receives an exchange for each connection loss with accepted messages; headers contain their number and the cause")
    private @Nullable String onFailure;

    @UriParam(
            label = "producer",
            description = "Endpoint that receives an exchange for each connection after the first")
    private @Nullable String onReconnect;

    @UriParam(
            label = "producer,advanced",
            description = "Local IP address to connect from; by default the system chooses")
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

    /** @throws IllegalArgumentException if an option is invalid, or not supported by this component */
    @Override
    public void validateConfiguration() {
        super.validateConfiguration();
        reject(!"tcp".equalsIgnoreCase(getProtocol()), "protocol " + getProtocol(), "it uses a single TCP connection");
        reject(isSync(), "sync=true", "there is no reply to wait for");
        reject(isDisconnect(), "disconnect=true", "the connection is kept, and the result of a write is not awaited");
        reject(isReuseChannel(), "reuseChannel=true", "all exchanges share the one connection");
        reject(isProducerPoolEnabled(), "producerPoolEnabled=true", "a pool has several connections and no order");
        reject(getRequestTimeout() != 0, "requestTimeout", "there is no reply to wait for");
        reject(getCorrelationManager() != null, "correlationManager", "there is no reply to correlate");
        reject(isUdpConnectionlessSending(), "udpConnectionlessSending=true", "it uses a single TCP connection");
        reject(isTransferExchange(), "transferExchange=true", "it sends bytes");
        reject(isTextline(), "textline=true", "it sends bytes");
        reject(
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

    private static void reject(boolean given, String option, String reason) {
        require(!given, "netty-ff does not support " + option + ": " + reason);
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

    @Override
    public boolean isReconnect() {
        return reconnect;
    }

    @Override
    public void setReconnect(boolean reconnect) {
        this.reconnect = reconnect;
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
