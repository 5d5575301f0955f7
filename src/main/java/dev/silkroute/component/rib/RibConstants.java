package dev.silkroute.component.rib;

import dev.silkroute.route.RouteChange;
import org.apache.camel.spi.Metadata;

/** Headers of messages to a {@code rib:} endpoint. */
public final class RibConstants {
    @Metadata(description = "After rib:apply: how many events were applied", javaType = "Long")
    public static final String EVENTS = "RibEvents";

    @Metadata(
            description = "After rib:apply: how many events of which outcome, by its name in lower case",
            javaType = "java.util.Map<String, Integer>")
    public static final String OUTCOMES = "RibOutcomes";

    @Metadata(description = "After rib:apply: how many records were no route batches", javaType = "Integer")
    public static final String REFUSED = "RibRefused";

    @Metadata(
            description =
                    "After rib:apply with changes, in the message of each record: a code for what each event of its batch changed",
            javaType = "byte[]")
    public static final String CHANGES = RouteChange.HEADER;

    @Metadata(
            description = "After rib:sweep: how many tables were ended because their time was over",
            javaType = "Integer")
    public static final String ENDED = "RibEnded";

    @Metadata(
            description = "After rib:enrich: how many records are no JSON objects; they go on as they are",
            javaType = "Integer")
    public static final String UNREAD = "RibUnread";

    @Metadata(
            description =
                    "After rib:enrich with strict: the records that were left out, each with its place and the reason",
            javaType = "java.util.List<RibRefusal>")
    public static final String REFUSALS = "RibRefusals";

    @Metadata(
            description =
                    "After rib:enrich, if there are any: how many records would have been larger than maxBytes, and went on as they came or were left out",
            javaType = "Integer")
    public static final String OVERSIZED = "RibOversized";

    static final String TOPIC = "kafka.TOPIC";
    static final String PARTITION = "kafka.PARTITION";
    static final String OFFSET = "kafka.OFFSET";

    private RibConstants() {}
}
