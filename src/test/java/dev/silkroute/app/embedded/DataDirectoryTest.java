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

class DataDirectoryTest {
    @TempDir
    Path folder;

    @Test
    void isCreatedAndOpenedAgain() throws IOException {
        Path path = folder.resolve("a/b");
        DataDirectory.open(path, 0).close();
        assertThat(path.resolve("format")).hasContent(DataDirectory.FORMAT);
        try (DataDirectory again = DataDirectory.open(path, 0)) {
            assertThat(again.path()).isEqualTo(path.toAbsolutePath());
            assertThat(Files.readString(path.resolve("lock")).strip())
                    .isEqualTo(Long.toString(ProcessHandle.current().pid()));
        }
    }

    @Test
    void isLockedByOneStation() {
        try (DataDirectory first = DataDirectory.open(folder, 0)) {
            assertThatThrownBy(() -> DataDirectory.open(first.path(), 0))
                    .isInstanceOf(OperatorError.class)
                    .hasMessage("the data directory " + folder + " is in use by another station, process "
                            + ProcessHandle.current().pid());
        }
    }

    @Test
    void foreignFilesAndFormatsAreUntouched() throws IOException {
        Path foreign = Files.createDirectory(folder.resolve("foreign"));
        Files.writeString(foreign.resolve("a"), "b");
        assertThatThrownBy(() -> DataDirectory.open(foreign, 0))
                .hasMessageContaining("contains files of other programs");
        assertThat(foreign.toFile().list()).containsExactly("a");

        Path other = Files.createDirectory(folder.resolve("other"));
        Files.writeString(other.resolve("format"), "0\n");
        assertThatThrownBy(() -> DataDirectory.open(other, 0)).hasMessageContaining("has format 0");
        assertThat(other.toFile().list()).containsExactly("format");

        Path file = Files.writeString(folder.resolve("file"), "");
        assertThatThrownBy(() -> DataDirectory.open(file, 0)).hasMessageContaining("it is not a directory");
        assertThatThrownBy(() -> DataDirectory.open(folder.resolve("full"), Long.MAX_VALUE))
                .hasMessageContaining("required");
    }

    /** A machine that stops during the first start can leave an empty file. */
    @Test
    void anEmptyFormatFileIsWrittenAgain() throws IOException {
        Files.writeString(folder.resolve("format"), "");
        Files.createDirectory(folder.resolve("kafka"));
        DataDirectory.open(folder, 0).close();
        assertThat(folder.resolve("format")).hasContent(DataDirectory.FORMAT);
    }

    @Test
    void portsAreReusedWhileTheyAreFree() throws IOException {
        try (DataDirectory directory = DataDirectory.open(folder, 0)) {
            PersistentPorts first = new PersistentPorts(directory);
            int kafka = first.port("kafka");
            int postgres = first.port("postgres");
            assertThat(kafka).isNotEqualTo(postgres);
            assertThat(first.port("kafka")).isEqualTo(kafka);
            assertThat(new PersistentPorts(directory).port("kafka")).isEqualTo(kafka);
            try (var taken = new java.net.ServerSocket(kafka, 1, java.net.InetAddress.getLoopbackAddress())) {
                assertThat(new PersistentPorts(directory).port("kafka")).isNotEqualTo(taken.getLocalPort());
            }
        }
    }

    @Test
    void serversOfAnEarlierStartAreAwaited() throws IOException {
        try (DataDirectory directory = DataDirectory.open(folder, 0)) {
            Process process = new ProcessBuilder("sleep", "60").start();
            try {
                ServerProcesses before = new ServerProcesses(directory);
                before.add("kafka", process.toHandle());
                assertThatThrownBy(() -> new ServerProcesses(directory).awaitExit(Duration.ofMillis(50)))
                        .isInstanceOf(OperatorError.class)
                        .hasMessageContaining("still running, process " + process.pid());
                // A running process stays recorded.
                before.forgetEnded();
                assertThatThrownBy(() -> new ServerProcesses(directory).awaitExit(Duration.ofMillis(50)))
                        .isInstanceOf(OperatorError.class);
                process.destroyForcibly().onExit().join();
                before.forgetEnded();
                assertThat(folder.resolve("servers.properties")).doesNotExist();
            } finally {
                process.destroyForcibly().onExit().join();
            }
            new ServerProcesses(directory).awaitExit(Duration.ofSeconds(5));
        }
    }

    @Test
    void aReusedProcessIdIsNotAnEarlierServer() throws IOException {
        try (DataDirectory directory = DataDirectory.open(folder, 0)) {
            Files.writeString(
                    folder.resolve("servers.properties"),
                    "kafka=" + ProcessHandle.current().pid() + " 1000\n");
            new ServerProcesses(directory).awaitExit(Duration.ZERO);
        }
    }
}
