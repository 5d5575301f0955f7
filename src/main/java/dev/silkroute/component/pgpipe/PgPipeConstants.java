package dev.silkroute.component.pgpipe;

import org.apache.camel.spi.Metadata;

/** Headers of messages to and from a {@code pgpipe:} endpoint. They begin with Camel, so that none comes in by HTTP. */
public final class PgPipeConstants {
    @Metadata(
            description =
                    "Before the step: settings for this transaction alone, beside those of the endpoint, which it overrides",
            javaType = "java.util.Map<String, String>")
    public static final String SETTINGS = "CamelPgPipeSettings";

    @Metadata(description = "After the step: how many rows were selected", javaType = "Long")
    public static final String ROW_COUNT = "CamelPgPipeRowCount";

    @Metadata(description = "After the step: how many rows were inserted, updated or deleted", javaType = "Long")
    public static final String UPDATE_COUNT = "CamelPgPipeUpdateCount";

    private PgPipeConstants() {}
}
