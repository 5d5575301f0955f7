package dev.silkroute.component.pgstate;

import org.apache.camel.spi.Metadata;

/** Headers of {@code pgstate:}. */
public final class PgStateConstants {
    @Metadata(
            description =
                    "Routes that were withdrawn, one row of the history each; of outbox: how many the body tells of",
            javaType = "Long")
    public static final String ROUTES = "PgStateRoutes";

    @Metadata(
            description = "Tables, a peer's routes in one view, that ended because their time was over",
            javaType = "Long")
    public static final String TABLES = "PgStateTables";

    private PgStateConstants() {}
}
