package dev.silkroute.app.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** The settings that Kafka clients get besides the address. */
class KafkaAccessTest {
    @Test
    void settingsHaveKafkasNamesAsPropertiesAndAsVariables() {
        KafkaAccess access = KafkaAccess.of(
                "kafka:9093",
                Configuration.of(
                                Map.of(
                                        "silkroute.kafka.security.protocol",
                                        "SASL_SSL",
                                        "silkroute.kafka-bootstrap",
                                        "x:1"),
                                Map.of("SILKROUTE_KAFKA_SASL_JAAS_CONFIG", "…", "SILKROUTE_KAFKA_BOOTSTRAP", "y:1"),
                                Map.of())
                        .station());
        assertThat(access.with(Map.of("client.id", "test")))
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "bootstrap.servers", "kafka:9093",
                        "security.protocol", "SASL_SSL",
                        "sasl.jaas.config", "…",
                        "enable.metrics.push", false,
                        "client.id", "test"));
    }

    @Test
    void unknownSettingsAreRejected() {
        StationConfig config = Configuration.of(Map.of("silkroute.kafka.ssl.trust", "x"), Map.of(), Map.of())
                .station();
        assertThatThrownBy(() -> KafkaAccess.of("kafka:9093", config))
                .isInstanceOf(OperatorError.class)
                .hasMessageContaining(
                        "unknown key silkroute.kafka.ssl.trust, did you mean silkroute.kafka.ssl.truststore.");
    }

    @Test
    void toStringContainsNoSecrets() {
        KafkaAccess access = new KafkaAccess("kafka:9093", Map.of("ssl.key.password", "secret"));
        assertThat(access).hasToString("kafka:9093");
    }
}
