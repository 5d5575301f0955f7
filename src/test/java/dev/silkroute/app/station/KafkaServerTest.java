package dev.silkroute.app.station;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.silkroute.app.config.OperatorError;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is no address of a server is told before anything is asked. */
class KafkaServerTest {
    @ParameterizedTest
    @ValueSource(strings = {"kafka", "127.0.0.1:65536", "127.0.0.1:99999", "127.0.0.1:", "127.0.0.1:x", ":9092", ""})
    void isNoServer(String server) {
        assertThatThrownBy(() -> KafkaServer.check(server))
                .isInstanceOf(OperatorError.class)
                .hasMessage("'" + server + "' is not a Kafka server as HOST:PORT (--kafka-bootstrap)");
    }
}
