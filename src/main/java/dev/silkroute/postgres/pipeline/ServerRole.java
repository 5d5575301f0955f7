package dev.silkroute.postgres.pipeline;

import org.jspecify.annotations.Nullable;

/** The servers of a replication group that a client accepts: {@code targetServerType} of pgjdbc. */
enum ServerRole {
    ANY,
    PRIMARY,
    STANDBY;

    /**
     * Returns the role of a value of pgjdbc. A preference is treated as {@link #ANY}, because pipelines write.
     *
     * @throws IllegalArgumentException if the value is unknown
     */
    static ServerRole of(@Nullable String targetServerType) {
        return switch (targetServerType == null ? "any" : targetServerType) {
            case "any", "preferPrimary", "preferSecondary", "preferSlave" -> ANY;
            case "primary", "master" -> PRIMARY;
            case "secondary", "slave" -> STANDBY;
            default -> throw new IllegalArgumentException("unknown targetServerType " + targetServerType);
        };
    }
}
