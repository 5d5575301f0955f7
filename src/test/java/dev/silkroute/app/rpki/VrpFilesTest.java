package dev.silkroute.app.rpki;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.net.IpPrefix;
import dev.silkroute.rpki.Aspa;
import dev.silkroute.rpki.Validity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests when the files are read again, and that a bad file changes nothing. */
class VrpFilesTest {
    private static final IpPrefix PREFIX = IpPrefix.parse("192.0.2.0/24");

    @TempDir
    private Path folder;

    private static void write(Path file, String content, int second) throws IOException {
        Files.writeString(file, content);
        Files.setLastModifiedTime(file, FileTime.from(Instant.ofEpochSecond(second)));
    }

    private static String vrps(int asn) {
        return "{\"roas\": [{\"asn\": " + asn + ", \"prefix\": \"192.0.2.0/24\", \"maxLength\": 24}]}";
    }

    @Test
    void aChangedFileReplacesTheTableAndABadOneDoesNot() throws IOException {
        Path vrps = folder.resolve("vrps.json");
        Path exceptions = folder.resolve("slurm.json");
        VrpFiles files = new VrpFiles(vrps, Optional.of(exceptions));

        files.reload();
        assertThat(files.table().size()).as("no file").isZero();

        write(vrps, vrps(64500), 1000);
        write(exceptions, "{\"slurmVersion\": 1}", 1000);
        files.reload();
        assertThat(files.table().validate(PREFIX, 64500)).isEqualTo(Validity.VALID);
        assertThat(files.updatedAtMillis()).isEqualTo(1_000_000);

        write(vrps, vrps(64501), 1000);
        files.reload();
        assertThat(files.table().validate(PREFIX, 64500)).as("the same time").isEqualTo(Validity.VALID);

        write(vrps, "{\"roas\": [{", 1001);
        files.reload();
        assertThat(files.table().validate(PREFIX, 64500)).as("a bad file").isEqualTo(Validity.VALID);

        write(vrps, vrps(64501), 1002);
        files.reload();
        assertThat(files.table().validate(PREFIX, 64500)).isEqualTo(Validity.INVALID);

        write(
                exceptions,
                "{\"slurmVersion\": 1, \"validationOutputFilters\": {\"prefixFilters\": [{\"asn\": 64501}]}}",
                1003);
        files.reload();
        assertThat(files.table().size()).as("an exception").isZero();
    }

    @Test
    void aspasFollowTheFile() throws IOException {
        Path vrps = folder.resolve("vrps.json");
        VrpFiles files = new VrpFiles(vrps, Optional.empty());
        write(
                vrps,
                vrps(64500)
                        .replace(
                                "{\"roas\"",
                                "{\"aspas\": [{\"customer_asid\": 64500, \"providers\": [64510]},"
                                        + " {\"customer\": \"AS64500\", \"providers\": [\"AS64511\"]}, {}], \"roas\""),
                1000);
        files.reload();
        assertThat(files.aspas().toList())
                .as("all ASPAs of a customer together")
                .containsExactly(new Aspa(64500, List.of(64510, 64511)));
        assertThat(files.rejectedAspas()).isEqualTo(1);

        write(vrps, "{\"roas\": [{", 1001);
        files.reload();
        assertThat(files.aspas().size()).as("a bad file").isEqualTo(1);

        write(vrps, vrps(64500), 1002);
        files.reload();
        assertThat(files.aspas().size()).isZero();
        assertThat(files.rejectedAspas()).isZero();
    }
}
