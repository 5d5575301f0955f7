package dev.silkroute.component.replay;

import org.apache.camel.spi.Metadata;

/** Headers of a replayed chunk. */
public final class ReplayConstants {
    @Metadata(description = "The path of the capture", javaType = "String")
    public static final String FILE = "ReplayFile";

    @Metadata(description = "The session of the capture, from 0", javaType = "Integer")
    public static final String SESSION = "ReplaySession";

    @Metadata(description = "The pass over the session, from 0", javaType = "Integer")
    public static final String PASS = "ReplayPass";

    @Metadata(description = "The number of bytes of the session before this chunk", javaType = "Long")
    public static final String OFFSET = "ReplayOffset";

    @Metadata(
            description = "The capture time of the chunk's last byte, nanoseconds since 1970; absent in raw streams",
            javaType = "Long")
    public static final String TIME = "ReplayTime";

    @Metadata(
            description = "True on the last chunk of a pass, after which the connection is closed, unless it is held",
            javaType = "Boolean")
    public static final String CLOSE = "ReplayClose";

    private ReplayConstants() {}
}
