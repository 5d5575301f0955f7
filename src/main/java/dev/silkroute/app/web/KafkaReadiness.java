package dev.silkroute.app.web;

import dev.silkroute.app.config.OperatorError;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/** Reports ready while Kafka responds. */
@Readiness
@ApplicationScoped
class KafkaReadiness implements HealthCheck {
    private final KafkaAdmin kafka;

    @Inject
    KafkaReadiness(KafkaAdmin kafka) {
        this.kafka = kafka;
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
            return response.status(nodes > 0).withData("nodes", nodes).build();
        } catch (ExecutionException | TimeoutException e) {
            return response.down().withData("reason", OperatorError.reason(e)).build();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return response.down().build();
        }
    }
}
