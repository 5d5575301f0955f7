package dev.silkroute.app.routes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.silkroute.app.config.OperatorError;
import dev.silkroute.app.config.Role;
import dev.silkroute.app.config.Roles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RouteFilesTest {
    @TempDir
    Path folder;

    private RouteFiles files(Role role) {
        return RouteFiles.of(new Roles(Set.of(role)), folder);
    }

    @Test
    void rolesChooseThePackagedFiles() {
        assertThat(files(Role.COLLECTOR).read().files()).containsOnlyKeys("collector", "error-handling");
        assertThat(files(Role.WRITER).read().files())
                .containsOnlyKeys(
                        "alerts",
                        "error-handling",
                        "history",
                        "current",
                        "lifecycle",
                        "maintenance",
                        "json",
                        "openbmp",
                        "recovery",
                        "withdrawals");
        assertThat(files(Role.API).read().files()).containsOnlyKeys("error-handling", "live");
        assertThat(files(Role.COLLECTOR).read().files().get("collector").location())
                .isEqualTo("classpath:routes/collector.camel.yaml");
    }

    @Test
    void ownFilesReplaceAddOrAreLeftOut() throws IOException {
        Files.writeString(folder.resolve("collector.xml"), "<routes/>");
        Files.writeString(folder.resolve("mine.yaml"), "[]");
        Files.writeString(folder.resolve("history.yaml"), "of a role that the station does not have");
        Files.writeString(folder.resolve(".mine.yaml.swp"), "");
        Files.writeString(folder.resolve(".hidden.yaml"), "");
        Files.writeString(folder.resolve("mine.yaml~"), "");
        Files.writeString(folder.resolve("notes.txt"), "");
        assertThat(files(Role.COLLECTOR).read().files()).containsOnlyKeys("collector", "error-handling", "mine");
        assertThat(files(Role.COLLECTOR).read().files().get("collector").location())
                .isEqualTo("file:" + folder.resolve("collector.xml"));
    }

    @Test
    void aDirectoryThatOthersCanWriteToIsRejected() throws IOException {
        for (String mode : List.of("rwxrwxr-x", "rwxr-xrwx")) {
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString(mode));
            assertThatThrownBy(() -> files(Role.COLLECTOR).check())
                    .isInstanceOf(OperatorError.class)
                    .hasMessage("the routes directory " + folder
                            + " is rejected: group or other users can write to it: use chmod go-w");
        }
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        files(Role.COLLECTOR).check();
    }

    @Test
    void aFileThatOthersCanWriteToIsRejected() throws IOException {
        Path mine = Files.writeString(folder.resolve("mine.yaml"), "[]");
        Files.setPosixFilePermissions(mine, PosixFilePermissions.fromString("rw-rw-r--"));
        assertThatThrownBy(() -> files(Role.COLLECTOR).check())
                .isInstanceOf(OperatorError.class)
                .hasMessageContaining("mine.yaml")
                .hasMessageContaining("group or other users can write to it: use chmod go-w");
        Files.setPosixFilePermissions(mine, PosixFilePermissions.fromString("rw-r--r--"));
        files(Role.COLLECTOR).check();
    }

    @Test
    void whatBelongsToAnotherUserIsRejected() throws IOException {
        assumeThat(System.getProperty("user.name")).isEqualTo("root");
        Path mine = Files.writeString(folder.resolve("mine.yaml"), "[]");
        Files.setOwner(
                mine, folder.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody"));
        assertThatThrownBy(() -> files(Role.COLLECTOR).check()).hasMessageContaining("it belongs to nobody");
    }

    @Test
    void aFileWithoutCamelInItsNameReplacesThePackagedOne() throws IOException {
        Files.writeString(folder.resolve("collector.yaml"), "[]");
        Files.writeString(folder.resolve("error-handling.camel.yaml"), "[]");
        var found = files(Role.COLLECTOR).read().files();
        assertThat(found.get("collector").location()).isEqualTo("file:" + folder.resolve("collector.yaml"));
        assertThat(found.get("error-handling").location())
                .isEqualTo("file:" + folder.resolve("error-handling.camel.yaml"));
    }

    @Test
    void anEditedTemplateIsFoundByItsName() throws IOException {
        assertThat(RouteFiles.location("replay", folder)).isEqualTo("classpath:routes/replay.camel.xml");
        Files.writeString(folder.resolve("replay.xml"), "<routeTemplates/>");
        assertThat(RouteFiles.location("replay", folder)).isEqualTo("file:" + folder.resolve("replay.xml"));
        assertThat(RouteFiles.location("replay", null)).isEqualTo("classpath:routes/replay.camel.xml");
    }

    @Test
    void oneNameOneFile() throws IOException {
        Files.writeString(folder.resolve("mine.yaml"), "[]");
        Files.writeString(folder.resolve("mine.xml"), "<routes/>");
        assertThatThrownBy(() -> files(Role.API).check()).hasMessageContaining("have the same name");
        assertThat(files(Role.API).read().unreadable()).containsOnlyKeys("mine");
    }

    @Test
    void anUnreadableFileDoesNotAffectOthers() throws IOException {
        Files.write(folder.resolve("latin.yaml"), "# eins\n# zwölf".getBytes(StandardCharsets.ISO_8859_1));
        Files.write(folder.resolve("cut.yaml"), new byte[] {'#', (byte) 0xc3});
        Files.write(folder.resolve("large.yaml"), new byte[(4 << 20) + 1]);
        Files.writeString(folder.resolve("mine.yaml"), "# zwölf");
        RouteFiles.Reading reading = files(Role.API).read();
        assertThat(reading.files().get("mine").content()).isEqualTo("# zwölf");
        assertThat(reading.files()).containsOnlyKeys("error-handling", "live", "mine");
        assertThat(reading.unreadable())
                .containsOnly(
                        Map.entry("cut", folder.resolve("cut.yaml") + ", line 1: not encoded in UTF-8"),
                        Map.entry("large", folder.resolve("large.yaml") + ": too large for a route file"),
                        Map.entry("latin", folder.resolve("latin.yaml") + ", line 2: not encoded in UTF-8"));
        assertThatThrownBy(() -> files(Role.API).check())
                .hasMessageContaining("cut.yaml, line 1: not encoded in UTF-8");
    }

    @Test
    void aMissingDirectoryIsReported() {
        RouteFiles files = RouteFiles.of(new Roles(Set.of(Role.API)), folder.resolve("missing"));
        assertThatThrownBy(files::marks)
                .hasMessage("cannot read the routes directory " + folder.resolve("missing")
                        + ": no such file or directory");
    }

    @Test
    void marksChangeWithTheFiles() throws IOException {
        RouteFiles files = files(Role.API);
        List<String> none = files.marks();
        Path file = Files.writeString(folder.resolve("mine.yaml"), "[]");
        List<String> one = files.marks();
        assertThat(one).isNotEqualTo(none).isEqualTo(files.marks());
        Files.writeString(file, "[ ]");
        assertThat(files.marks()).isNotEqualTo(one);
    }
}
