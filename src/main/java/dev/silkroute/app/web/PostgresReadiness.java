package dev.silkroute.app.web;

import dev.silkroute.app.config.OperatorError;
import dev.silkroute.app.config.StationConfig;
import dev.silkroute.postgres.pipeline.PipelinePool;
import io.quarkus.agroal.DataSource;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;
import org.jspecify.annotations.Nullable;

/**
 * Reports ready while PostgreSQL responds in each connection pool. A station with only the role collector needs no
 * database and is always ready.
 */
@Readiness
@ApplicationScoped
class PostgresReadiness implements HealthCheck {
    private static final int TIMEOUT_SECONDS = 5;

    private final Map<String, javax.sql.DataSource> pools = new LinkedHashMap<>();
    private @Nullable PipelinePool pipeline;

    @Inject
    PostgresReadiness(
            javax.sql.DataSource lowVolume,
            @DataSource("bulk") javax.sql.DataSource bulk,
            PipelinePool pipeline,
            StationConfig config) {
        if (config.roles().needDatabase()) {
            pools.put("low-volume", lowVolume);
            pools.put("bulk", bulk);
            this.pipeline = pipeline;
        }
    }

    @Override
    public HealthCheckResponse call() {
        var response = HealthCheckResponse.named("postgresql").up();
        pools.forEach((name, pool) -> {
            try (Connection connection = pool.getConnection()) {
                boolean valid = connection.isValid(TIMEOUT_SECONDS);
                response.withData(name, valid ? "up" : "no response within " + TIMEOUT_SECONDS + " s");
                if (!valid) {
                    response.down();
                }
            } catch (SQLException e) {
                response.down().withData(name, OperatorError.reason(e));
            }
        });
        if (pipeline != null) {
            try {
                pipeline.ping(Duration.ofSeconds(TIMEOUT_SECONDS));
                response.withData("pipeline", "up");
            } catch (SQLException e) {
                response.down().withData("pipeline", OperatorError.reason(e));
            }
        }
        return response.build();
    }
}
