package dev.silkroute.component.replay;

import org.apache.camel.spi.Metadata;

/** Headers of a replayed chunk. */
public final class ReplayConstants {
    @Metadata(description = "The capture's path", javaType = "String")
    public static final String FILE = "ReplayFile";

    @Metadata(description = "Which session of the capture, from 0", javaType = "Integer")
    public static final String SESSION = "ReplaySession";

    @Metadata(description = "Which pass over the session, from 0", javaType = "Integer")
    public static final String PASS = "ReplayPass";

    @Metadata(description = "Bytes of the session before this chunk", javaType = "Long")
    public static final String OFFSET = "ReplayOffset";

    @Metadata(
            description = "When the chunk's last byte was captured, nanoseconds since 1970; absent in raw streams",
            javaType = "Long")
    public static final String TIME = "ReplayTime";

    @Metadata(
            description = "On the last chunk of a pass, unless the connection is to be held: the connection ends here",
            javaType = "Boolean")
    public static final String CLOSE = "ReplayClose";

    private ReplayConstants() {}
}
