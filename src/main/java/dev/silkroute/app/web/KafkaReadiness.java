package dev.silkroute.app.web;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/** Whether Kafka answers. */
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
        var answer = HealthCheckResponse.named("kafka");
        try {
            int nodes = kafka.client()
                    .describeCluster()
                    .nodes()
                    .get(KafkaAdmin.TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                    .size();
            return answer.status(nodes > 0).withData("nodes", nodes).build();
        } catch (ExecutionException | TimeoutException e) {
            return answer.down()
                    .withData("reason", String.valueOf(e.getMessage()))
                    .build();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return answer.down().build();
        }
    }
}
