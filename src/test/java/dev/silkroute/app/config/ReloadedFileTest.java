package dev.silkroute.app.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.alert.AlertRules;
import dev.silkroute.alert.RulesFile;
import dev.silkroute.names.AsNameFile;
import dev.silkroute.names.AsNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests when a file is read again, and that a bad one changes nothing. */
class ReloadedFileTest {
    @TempDir
    private Path folder;

    private static void write(Path file, String content, int second) throws IOException {
        Files.writeString(file, content);
        Files.setLastModifiedTime(file, FileTime.from(Instant.ofEpochSecond(second)));
    }

    @Test
    void aChangedFileReplacesTheContentAndABadOneDoesNot() throws IOException {
        Path path = folder.resolve("asns.csv");
        var file =
                new ReloadedFile<>("AS names", path, (read, _) -> AsNameFile.read(read), AsNames.NONE, AsNames::size);
        file.reload();
        assertThat(file.size()).as("no file").isZero();
        assertThat(file.writtenMillis()).isZero();

        write(path, "64500,first\n", 1000);
        file.reload();
        assertThat(file.content().of(64500)).hasValue("first");
        assertThat(file.writtenMillis()).isEqualTo(1_000_000);

        write(path, "64500,second\n", 1000);
        file.reload();
        assertThat(file.content().of(64500)).as("the same time").hasValue("first");

        write(path, "64500,third\nbad\n", 1001);
        file.reload();
        assertThat(file.content().of(64500)).as("a bad file").hasValue("first");
        assertThat(file.writtenMillis()).isEqualTo(1_000_000);

        write(path, "64500,fourth\n", 1002);
        file.reload();
        assertThat(file.content().of(64500)).hasValue("fourth");

        Files.delete(path);
        file.reload();
        assertThat(file.content().of(64500)).as("the file was deleted").hasValue("fourth");
    }

    /** The rules name a file of relations, which changes alone. */
    @Test
    void aChangedFileThatIsIncludedReplacesTheContentAndABadOneDoesNot() throws IOException {
        Path relations = folder.resolve("relations.txt");
        Path path = folder.resolve("prefixes.yml");
        write(path, "options: {relations: relations.txt}", 2000);
        var file = new ReloadedFile<>("monitored prefixes", path, RulesFile::read, AlertRules.NONE, AlertRules::size);
        file.reload();
        assertThat(file.content()).as("no relations").isSameAs(AlertRules.NONE);

        write(relations, "65010|64700|-1\n", 1000);
        file.reload();
        AlertRules first = file.content();
        assertThat(first).isNotSameAs(AlertRules.NONE);
        assertThat(file.writtenMillis()).isEqualTo(2_000_000);
        file.reload();
        assertThat(file.content()).as("nothing has changed").isSameAs(first);

        write(relations, "65010|64700|1\n", 3000);
        file.reload();
        assertThat(file.content()).as("a bad file").isSameAs(first);

        write(relations, "65010|64700|0\n", 3001);
        file.reload();
        AlertRules second = file.content();
        assertThat(second).isNotSameAs(first);
        assertThat(file.writtenMillis()).isEqualTo(3_001_000);

        Files.delete(relations);
        file.reload();
        assertThat(file.content()).as("the file was deleted").isSameAs(second);
    }
}
