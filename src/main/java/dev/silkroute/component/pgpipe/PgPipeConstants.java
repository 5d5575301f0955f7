package dev.silkroute.component.pgpipe;

import org.apache.camel.spi.Metadata;

/** Headers of {@code pgpipe:}. Their names start with Camel, so that HTTP endpoints do not accept them from clients. */
public final class PgPipeConstants {
    @Metadata(
            description =
                    "Before the step: settings for this transaction, in addition to those of the endpoint, which they override",
            javaType = "java.util.Map<String, String>")
    public static final String SETTINGS = "CamelPgPipeSettings";

    @Metadata(description = "After the step: how many rows were selected", javaType = "Long")
    public static final String ROW_COUNT = "CamelPgPipeRowCount";

    @Metadata(description = "After the step: how many rows were inserted, updated or deleted", javaType = "Long")
    public static final String UPDATE_COUNT = "CamelPgPipeUpdateCount";

    private PgPipeConstants() {}
}
