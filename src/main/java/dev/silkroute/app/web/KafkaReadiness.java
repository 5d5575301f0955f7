package dev.silkroute.app.web;

import dev.silkroute.app.config.OperatorError;
import dev.silkroute.app.config.Role;
import dev.silkroute.app.config.Roles;
import dev.silkroute.app.config.StationConfig;
import dev.silkroute.collector.transport.MemoryBudget;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/**
 * Reports ready while Kafka responds. A station with only the role collector also is while it can hold what routers
 * send until Kafka responds again: if it were not, routers that connect would have no collector although there is
 * room for their messages.
 */
@Readiness
@ApplicationScoped
class KafkaReadiness implements HealthCheck {
    private final KafkaAdmin kafka;
    private final MemoryBudget budget;
    private final boolean onlyCollects;

    @Inject
    KafkaReadiness(KafkaAdmin kafka, MemoryBudget budget, StationConfig config) {
        this(kafka, budget, config.roles());
    }

    KafkaReadiness(KafkaAdmin kafka, MemoryBudget budget, Roles roles) {
        this.kafka = kafka;
        this.budget = budget;
        onlyCollects = roles.all().equals(Set.of(Role.COLLECTOR));
    }

    @Override
    public HealthCheckResponse call() {
        var response = HealthCheckResponse.named("kafka");
        try {
            int nodes = kafka.client()
                    .describeCluster()
                    .nodes()
                    .get(KafkaAdmin.TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                    .size();
            return nodes > 0 ? response.up().withData("nodes", nodes).build() : unavailable("Kafka reports no brokers");
        } catch (ExecutionException | TimeoutException e) {
            return unavailable(OperatorError.reason(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return response.down().build();
        }
    }

    /** The result while Kafka does not respond. */
    HealthCheckResponse unavailable(String reason) {
        return HealthCheckResponse.named("kafka")
                .status(onlyCollects && !budget.isExhausted())
                .withData("reason", reason)
                .withData("held-bytes", budget.held())
                .build();
    }
}
