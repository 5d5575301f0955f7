package dev.silkroute.app.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.silkroute.app.config.OperatorError;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Backups of a data directory. */
class DataArchiveTest {
    @TempDir
    Path folder;

    private Path data;
    private Path file;

    @BeforeEach
    void directory() throws IOException {
        data = folder.resolve("data");
        file = folder.resolve("backup.tar.gz");
        try (DataDirectory directory = DataDirectory.open(data, 0)) {
            Files.createDirectories(directory.kafka().resolve("a-topic-0"));
            Files.write(directory.kafka().resolve("a-topic-0/00.log"), new byte[300_000]);
            Files.createDirectories(directory.postgres().resolve("cluster/pg_notify"));
            Files.writeString(directory.postgres().resolve("cluster/PG_VERSION"), "18\n");
            Files.writeString(directory.log("postgres.log"), "started\n");
            directory.secret("http-token");
        }
        Files.writeString(data.resolve("station.properties"), "pid=1\n");
    }

    private static Map<String, String> content(Path directory) throws IOException {
        Map<String, String> content = new TreeMap<>();
        try (Stream<Path> paths = Files.walk(directory)) {
            for (Path path : paths.toList()) {
                content.put(
                        directory.relativize(path).toString(),
                        Files.isDirectory(path) ? "directory" : Files.readString(path, StandardCharsets.ISO_8859_1));
            }
        }
        return content;
    }

    @Test
    void aRestoredDirectoryHasTheSameContent() throws IOException {
        // When
        DataArchive.Content written = DataArchive.write(data, file);
        Path restored = folder.resolve("restored");
        DataArchive.Content read = DataArchive.restore(file, restored);
        // Then: all but what belongs to a running station
        Map<String, String> expected = content(data);
        expected.keySet().removeIf(name -> name.startsWith("log") || name.equals("lock") || name.startsWith("station"));
        assertThat(content(restored)).isEqualTo(expected);
        assertThat(read).isEqualTo(written);
        assertThat(written.files()).isEqualTo(4);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(restored)))
                .isEqualTo("rwx------");
        DataDirectory.open(restored, 0).close();
    }

    @Test
    void aRunningStationIsNotBackedUp() {
        try (DataDirectory running = DataDirectory.open(data, 0)) {
            assertThatThrownBy(() -> DataArchive.write(running.path(), file))
                    .isInstanceOf(OperatorError.class)
                    .hasMessageContaining("is in use by another station");
        }
        assertThat(file).doesNotExist();
    }

    @Test
    void nothingIsOverwritten() throws IOException {
        DataArchive.write(data, file);
        byte[] before = Files.readAllBytes(file);
        assertThatThrownBy(() -> DataArchive.write(data, file)).hasMessage(file + " exists already");
        assertThatThrownBy(() -> DataArchive.restore(file, data))
                .hasMessage("the data directory " + data + " is not empty: choose a new one");
        assertThat(Files.readAllBytes(file)).isEqualTo(before);
    }

    @Test
    void aDamagedBackupLeavesNoDirectory() throws IOException {
        DataArchive.write(data, file);
        byte[] whole = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(whole, whole.length - 20));
        Path restored = folder.resolve("restored");
        assertThatThrownBy(() -> DataArchive.restore(file, restored))
                .isInstanceOf(OperatorError.class)
                .hasMessageStartingWith("cannot restore " + restored + " from " + file + ": ");
        assertThat(folder)
                .isDirectoryNotContaining(path -> path.getFileName().toString().startsWith("restored"));
    }

    @Test
    void entriesCannotLeaveTheDirectory() throws IOException {
        // Given: a file that no station has written
        archive(Map.of("format", DataDirectory.FORMAT, "../outside", "x"));
        // Then
        assertThatThrownBy(() -> DataArchive.restore(file, folder.resolve("restored")))
                .hasMessageEndingWith("it contains '../outside', which no backup contains");
        assertThat(folder.resolve("outside")).doesNotExist();
    }

    @Test
    void anotherFormatIsRejected() throws IOException {
        archive(Map.of("format", "1"));
        assertThatThrownBy(() -> DataArchive.restore(file, folder.resolve("restored")))
                .hasMessageStartingWith(file + " has format 1, but this version of Silkroute requires format ");
    }

    private void archive(Map<String, String> entries) throws IOException {
        try (var tar = new TarArchiveOutputStream(new GZIPOutputStream(Files.newOutputStream(file)))) {
            for (String name : entries.keySet().stream().sorted().toList().reversed()) {
                byte[] text = entries.get(name).getBytes(StandardCharsets.UTF_8);
                var entry = new TarArchiveEntry(name);
                entry.setSize(text.length);
                tar.putArchiveEntry(entry);
                tar.write(text);
                tar.closeArchiveEntry();
            }
        }
    }
}
