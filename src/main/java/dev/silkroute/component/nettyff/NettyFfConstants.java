package dev.silkroute.component.nettyff;

import org.apache.camel.spi.Metadata;

/** Headers of messages to a {@code netty-ff:} endpoint, and of what it tells {@code onFailure} and {@code onReconnect}. */
public final class NettyFfConstants {
    @Metadata(
            label = "producer",
            description = "How many messages the body is, when it is one byte array or ByteBuf that holds several",
            javaType = "Integer")
    public static final String MESSAGES = "NettyFfMessages";

    @Metadata(description = "Where the endpoint sends to, such as tcp://127.0.0.1:11019", javaType = "String")
    public static final String ADDRESS = "NettyFfAddress";

    @Metadata(description = "On failure: messages that were accepted and did not get out", javaType = "Long")
    public static final String FAILED_MESSAGES = "NettyFfFailedMessages";

    @Metadata(description = "On failure: bytes of the buffers that did not get out", javaType = "Long")
    public static final String FAILED_BYTES = "NettyFfFailedBytes";

    @Metadata(description = "On failure: what went wrong, in words", javaType = "String")
    public static final String CAUSE = "NettyFfCause";

    @Metadata(description = "On reconnect: how often the endpoint has connected again so far", javaType = "Long")
    public static final String RECONNECTS = "NettyFfReconnects";

    private NettyFfConstants() {}
}
