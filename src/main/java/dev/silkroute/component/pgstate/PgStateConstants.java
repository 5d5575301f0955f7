package dev.silkroute.component.pgstate;

import org.apache.camel.spi.Metadata;

/** Headers of {@code pgstate:}. */
public final class PgStateConstants {
    @Metadata(
            description =
                    "withdrawals: how many routes were withdrawn. outbox: how many withdrawals the body contains.",
            javaType = "Long")
    public static final String ROUTES = "PgStateRoutes";

    @Metadata(
            description = "withdrawals: how many tables, the routes of a peer in one view, ended because of a timeout",
            javaType = "Long")
    public static final String TABLES = "PgStateTables";

    private PgStateConstants() {}
}
