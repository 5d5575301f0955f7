package dev.silkroute.component.rib;

import dev.silkroute.route.RouteChange;
import org.apache.camel.spi.Metadata;

/** Headers of messages to a {@code rib:} endpoint. */
public final class RibConstants {
    @Metadata(description = "After rib:apply: the number of events applied", javaType = "Long")
    public static final String EVENTS = "RibEvents";

    @Metadata(
            description = "After rib:apply: the number of events per outcome, by its name in lower case",
            javaType = "java.util.Map<String, Integer>")
    public static final String OUTCOMES = "RibOutcomes";

    @Metadata(description = "After rib:apply: the number of records that are not route batches", javaType = "Integer")
    public static final String REJECTED = "RibRejected";

    @Metadata(
            description =
                    "After rib:apply with changes, in the message of each record: a code for what each event of its batch has changed",
            javaType = "byte[]")
    public static final String CHANGES = RouteChange.HEADER;

    @Metadata(
            description =
                    "After rib:lookup and rib:find: whether routes may be missing because there was no memory for them",
            javaType = "Boolean")
    public static final String INCOMPLETE = "RibIncomplete";

    @Metadata(
            description =
                    "After rib:lookup and rib:find: the RIB includes what routers sent until then, in milliseconds since 1970; absent if the offsets do not include times",
            javaType = "Long")
    public static final String LAST_UPDATED = "RibLastUpdated";

    @Metadata(description = "After rib:enrich: the number of records that are not JSON objects", javaType = "Integer")
    public static final String UNPARSED = "RibUnparsed";

    @Metadata(
            description = "After rib:enrich with strict: the records left out, each with its index and the reason",
            javaType = "java.util.List<RibRejection>")
    public static final String REJECTIONS = "RibRejections";

    @Metadata(
            description =
                    "After rib:enrich, if there are any: the number of records that exceed maxBytes when enriched, and were passed on unchanged or left out",
            javaType = "Integer")
    public static final String OVERSIZED = "RibOversized";

    static final String TOPIC = "kafka.TOPIC";
    static final String PARTITION = "kafka.PARTITION";
    static final String OFFSET = "kafka.OFFSET";

    private RibConstants() {}
}
