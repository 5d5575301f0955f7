package dev.silkroute.component.nettyff;

import org.apache.camel.spi.Metadata;

/**
 * Headers of messages to a {@code netty-ff:} endpoint, and of the exchanges that it sends to {@code onFailure} and
 * {@code onReconnect}.
 */
public final class NettyFfConstants {
    @Metadata(
            label = "producer",
            description =
                    "The number of messages in the body, if it is one byte array or ByteBuf that contains several",
            javaType = "Integer")
    public static final String MESSAGES = "NettyFfMessages";

    @Metadata(description = "The address of the peer, such as tcp://127.0.0.1:11019", javaType = "String")
    public static final String ADDRESS = "NettyFfAddress";

    @Metadata(description = "On failure: the number of messages that were accepted and not written", javaType = "Long")
    public static final String FAILED_MESSAGES = "NettyFfFailedMessages";

    @Metadata(description = "On failure: the bytes of the buffers that were not written", javaType = "Long")
    public static final String FAILED_BYTES = "NettyFfFailedBytes";

    @Metadata(description = "On failure: a description of the cause", javaType = "String")
    public static final String CAUSE = "NettyFfCause";

    @Metadata(description = "On reconnect: the number of connections after the first", javaType = "Long")
    public static final String RECONNECTS = "NettyFfReconnects";

    private NettyFfConstants() {}
}
