package dev.silkroute.app.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.app.config.KafkaAccess;
import dev.silkroute.app.config.Roles;
import dev.silkroute.collector.transport.MemoryBudget;
import dev.silkroute.collector.transport.ReadingPause;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.health.HealthCheckResponse.Status;
import org.junit.jupiter.api.Test;

class KafkaReadinessTest {
    private static final String REASON = "does not respond";

    private final MemoryBudget budget = new MemoryBudget(1 << 20, 1 << 18);

    private Status statusWithoutKafka(String roles) {
        KafkaAdmin kafka = new KafkaAdmin(new KafkaAccess("127.0.0.1:1", Map.of())); // not connected to
        var response = new KafkaReadiness(kafka, budget, Roles.of(roles)).unavailable(REASON);
        assertThat(response.getData().orElseThrow()).containsEntry("reason", REASON);
        return response.getStatus();
    }

    @Test
    void withoutKafkaACollectorIsReadyUntilItReadsNoMore() {
        assertThat(statusWithoutKafka("collector")).isEqualTo(Status.UP);
        budget.pause(ReadingPause.FREE_SPACE);
        assertThat(statusWithoutKafka("collector")).isEqualTo(Status.DOWN);
        budget.resume(ReadingPause.FREE_SPACE);
        assertThat(statusWithoutKafka("collector")).isEqualTo(Status.UP);
    }

    @Test
    void withoutKafkaNoOtherRoleIsReady() {
        for (String roles : List.of("writer", "rib", "api", "collector,writer", "all")) {
            assertThat(statusWithoutKafka(roles)).as(roles).isEqualTo(Status.DOWN);
        }
    }
}
