package dev.silkroute.component.pgcopy;

import org.apache.camel.spi.Metadata;

/** Headers of messages to a {@code pgcopy:} endpoint. */
public final class PgCopyConstants {
    @Metadata(description = "How many rows the step has written", javaType = "Long")
    public static final String ROWS = "PgCopyRows";

    /** The header in which the consumer of a lane puts the position of a record. */
    static final String POSITION = "CamelKafkaManualCommit";

    static final String TOPIC = "kafka.TOPIC";
    static final String PARTITION = "kafka.PARTITION";
    static final String OFFSET = "kafka.OFFSET";

    private PgCopyConstants() {}
}
