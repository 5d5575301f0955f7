package dev.silkroute.app.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.silkroute.app.config.OperatorError;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
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

    @Test
    void onlyTheOwnerCanAccessIt() throws IOException {
        Path path = folder.resolve("a/b");
        try (DataDirectory directory = DataDirectory.open(path, 0)) {
            new PersistentPorts(directory).port("kafka");
            assertThat(shared(path)).isEmpty();
        }
    }

    /** Of a version that used the umask. */
    @Test
    void anExistingDirectoryIsRestricted() throws IOException {
        Files.writeString(folder.resolve("format"), DataDirectory.FORMAT + "\n");
        Path storage = Files.createDirectory(folder.resolve("kafka"));
        Path file = Files.writeString(storage.resolve("broker.properties"), "a=b");
        for (Path open : List.of(folder, storage, file)) {
            Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        DataDirectory.open(folder, 0).close();
        assertThat(shared(folder)).isEmpty();
        assertThat(file).hasContent("a=b");
    }

    /** As a volume is mounted in a container: the station may write to it but does not own it. */
    @Test
    void filesBelongToTheStationInADirectoryOfAnotherUser() throws IOException {
        assumeThat(System.getProperty("user.name")).isEqualTo("root");
        Files.setOwner(
                folder, folder.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody"));
        try (DataDirectory directory = DataDirectory.open(folder, 0)) {
            new PersistentPorts(directory).port("kafka");
            for (Path file :
                    List.of(folder.resolve("format"), folder.resolve("ports.properties"), directory.secret("token"))) {
                assertThat(Files.getOwner(file).getName()).as(file.toString()).isEqualTo("root");
            }
        }
    }

    /** Returns the files and directories that other users have any access to. */
    private static List<String> shared(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.map(file -> {
                        try {
                            return PosixFilePermissions.toString(Files.getPosixFilePermissions(file)) + " " + file;
                        } catch (IOException e) {
                            throw new UncheckedIOException(e);
                        }
                    })
                    .filter(line -> !line.substring(3).startsWith("------ "))
                    .toList();
        }
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
