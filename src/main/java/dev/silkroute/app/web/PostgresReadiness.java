package dev.silkroute.app.web;

import dev.silkroute.app.config.Role;
import dev.silkroute.postgres.pipeline.PipelinePool;
import io.quarkus.agroal.DataSource;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;
import org.jspecify.annotations.Nullable;

/** Whether PostgreSQL answers in each pool. A collector alone works without it, so there it says nothing. */
@Readiness
@ApplicationScoped
class PostgresReadiness implements HealthCheck {
    private static final int LIMIT_SECONDS = 5;

    private final Map<String, javax.sql.DataSource> pools = new LinkedHashMap<>();
    private @Nullable PipelinePool flights;

    @Inject
    PostgresReadiness(
            javax.sql.DataSource low,
            @DataSource("bulk") javax.sql.DataSource bulk,
            PipelinePool pipeline,
            @ConfigProperty(name = "silkroute.roles") String roles) {
        if (Role.needDatabase(Role.parse(roles))) {
            pools.put("low-volume", low);
            pools.put("bulk", bulk);
            flights = pipeline;
        }
    }

    @Override
    public HealthCheckResponse call() {
        var answer = HealthCheckResponse.named("postgresql").up();
        pools.forEach((name, pool) -> {
            try (Connection connection = pool.getConnection()) {
                boolean valid = connection.isValid(LIMIT_SECONDS);
                answer.withData(name, valid ? "up" : "no answer");
                if (!valid) {
                    answer.down();
                }
            } catch (SQLException e) {
                answer.down().withData(name, String.valueOf(e.getMessage()));
            }
        });
        if (flights != null) {
            try {
                flights.ping(Duration.ofSeconds(LIMIT_SECONDS));
                answer.withData("pipeline", "up");
            } catch (SQLException e) {
                answer.down().withData("pipeline", String.valueOf(e.getMessage()));
            }
        }
        return answer.build();
    }
}
