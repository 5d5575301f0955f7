package dev.silkroute.app.station;

import dev.silkroute.app.config.Role;
import java.nio.file.Path;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The options of {@code run}. A port of 0 stands for any free port; no management port for 9000 or, if that is in use,
 * any free one. Without bootstrap servers or a JDBC URL, the
 * station starts an embedded Kafka or PostgreSQL.
 */
public record RunOptions(
        String bmpHost,
        int bmpPort,
        String httpHost,
        int httpPort,
        String managementHost,
        @Nullable Integer managementPort,
        Path dataDirectory,
        @Nullable String kafkaBootstrap,
        @Nullable String jdbcUrl,
        @Nullable Path routesDirectory,
        Set<Role> roles,
        boolean verbose) {
    public RunOptions {
        roles = Collections.unmodifiableSet(EnumSet.copyOf(roles));
    }

    public boolean has(Role role) {
        return roles.contains(role);
    }
}
