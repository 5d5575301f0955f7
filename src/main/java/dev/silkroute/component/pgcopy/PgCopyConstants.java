package dev.silkroute.component.pgcopy;

import org.apache.camel.spi.Metadata;

/** Headers of messages to a {@code pgcopy:} endpoint. */
public final class PgCopyConstants {
    @Metadata(description = "After the step: how many rows were written", javaType = "Long")
    public static final String ROWS = "PgCopyRows";

    /** Where camel-kafka puts what a KafkaManualCommitFactory made. */
    static final String POSITION = "CamelKafkaManualCommit";

    static final String TOPIC = "kafka.TOPIC";
    static final String PARTITION = "kafka.PARTITION";
    static final String OFFSET = "kafka.OFFSET";

    private PgCopyConstants() {}
}
