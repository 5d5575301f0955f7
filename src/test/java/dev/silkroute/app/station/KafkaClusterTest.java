package dev.silkroute.app.station;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.silkroute.app.config.OperatorError;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Invalid server addresses are rejected before any connection. */
class KafkaClusterTest {
    @ParameterizedTest
    @ValueSource(strings = {"kafka", "127.0.0.1:65536", "127.0.0.1:99999", "127.0.0.1:", "127.0.0.1:x", ":9092", ""})
    void invalidServersAreRejected(String server) {
        assertThatThrownBy(() -> KafkaCluster.check(server))
                .isInstanceOf(OperatorError.class)
                .hasMessage("'" + server + "' is not a Kafka server as HOST:PORT (--kafka-bootstrap)");
    }
}
