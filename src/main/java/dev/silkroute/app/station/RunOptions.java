package dev.silkroute.app.station;

import dev.silkroute.app.config.Role;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What {@code run} was told. A port of 0 means any free one; without bootstrap servers or a JDBC URL the station runs its
 * own Kafka or PostgreSQL.
 */
public record RunOptions(
        String bmpHost,
        int bmpPort,
        String httpHost,
        int httpPort,
        Path dataDirectory,
        @Nullable String kafkaBootstrap,
        @Nullable String jdbcUrl,
        @Nullable Path routesDirectory,
        Set<Role> roles,
        boolean verbose) {
    public RunOptions {
        roles = java.util.Collections.unmodifiableSet(java.util.EnumSet.copyOf(roles));
    }

    public boolean has(Role role) {
        return roles.contains(role);
    }
}
