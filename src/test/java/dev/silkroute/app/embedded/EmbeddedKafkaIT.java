package dev.silkroute.app.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.silkroute.app.config.OperatorError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes that stand in for a broker that starts, fails or hangs. */
class EmbeddedKafkaIT {
    @TempDir
    Path folder;

    private static ChildProcess child(String... command) throws IOException {
        return new ChildProcess("Kafka", new ProcessBuilder(command).start());
    }

    @Test
    void aSilentBrokerIsStopped() throws IOException {
        Path log = Files.writeString(folder.resolve("kafka.log"), "WARN recovering\n");
        ChildProcess silent = child("cat");
        assertThatThrownBy(() -> EmbeddedKafka.awaitReady(silent, log, Duration.ofSeconds(1)))
                .isInstanceOf(OperatorError.class)
                .hasMessage("Kafka did not start within 1 s: WARN recovering (see " + log + ")");
        assertThat(silent.isAlive()).isFalse();
    }

    @Test
    void aBrokerThatEndsIsReportedWithItsLastError() throws IOException {
        Path log = folder.resolve("kafka.log");
        assertThatThrownBy(() -> EmbeddedKafka.awaitReady(child("true"), log, Duration.ofMinutes(1)))
                .hasMessage("Kafka did not start: its log is empty (see " + log + ")");
        assertThatThrownBy(() -> EmbeddedKafka.awaitReady(child("echo", "no room"), log, Duration.ofMinutes(1)))
                .hasMessage("Kafka did not start: no room (see " + log + ")");
    }

    @Test
    void aBrokerThatIsReadyIsAccepted() throws IOException {
        ChildProcess ready = child("sh", "-c", "echo ready; cat");
        EmbeddedKafka.awaitReady(ready, folder.resolve("kafka.log"), Duration.ofMinutes(1));
        assertThat(ready.isAlive()).isTrue();
        ready.stop(Duration.ofSeconds(20));
    }
}
