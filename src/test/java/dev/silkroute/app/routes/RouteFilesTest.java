package dev.silkroute.app.routes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.silkroute.app.config.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RouteFilesTest {
    @TempDir
    Path folder;

    private RouteFiles files(Role... roles) {
        EnumSet<Role> set = EnumSet.noneOf(Role.class);
        set.addAll(List.of(roles));
        return RouteFiles.of(set, folder);
    }

    @Test
    void rolesChooseThePackagedFiles() {
        assertThat(files(Role.COLLECTOR).read()).containsOnlyKeys("collector");
        assertThat(files(Role.WRITER).read())
                .containsOnlyKeys("history", "current", "lifecycle", "upkeep", "json", "openbmp", "withdrawals");
        assertThat(files(Role.API).read()).isEmpty();
        assertThat(files(Role.COLLECTOR).read().get("collector").location())
                .isEqualTo("classpath:routes/collector.yaml");
    }

    @Test
    void ownFilesReplaceAddOrAreLeftOut() throws IOException {
        Files.writeString(folder.resolve("collector.xml"), "<routes/>");
        Files.writeString(folder.resolve("mine.yaml"), "[]");
        Files.writeString(folder.resolve("history.yaml"), "of a role that isn't played");
        Files.writeString(folder.resolve(".mine.yaml.swp"), "");
        Files.writeString(folder.resolve(".hidden.yaml"), "");
        Files.writeString(folder.resolve("mine.yaml~"), "");
        Files.writeString(folder.resolve("notes.txt"), "");
        assertThat(files(Role.COLLECTOR).read()).containsOnlyKeys("collector", "mine");
        assertThat(files(Role.COLLECTOR).read().get("collector").location())
                .isEqualTo("file:" + folder.resolve("collector.xml"));
    }

    @Test
    void oneNameOneFile() throws IOException {
        Files.writeString(folder.resolve("mine.yaml"), "[]");
        Files.writeString(folder.resolve("mine.xml"), "<routes/>");
        assertThatThrownBy(() -> files(Role.API).read()).hasMessageContaining("have the same name");
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
