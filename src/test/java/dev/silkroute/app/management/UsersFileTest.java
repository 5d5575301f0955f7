package dev.silkroute.app.management;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.silkroute.app.config.OperatorError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UsersFileTest {
    @TempDir
    private Path folder;

    private Path file(String text) throws IOException {
        Path file = folder.resolve("users");
        Files.writeString(file, text);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
    }

    @Test
    void usersAreSettingsWithoutTheirPasswords() throws IOException {
        var settings = UsersFile.read(file("# ours\n\nann=viewer:correct horse\nbob=operator:battery:staple\n"));
        assertThat(settings)
                .containsEntry("quarkus.security.users.embedded.roles.ann", "viewer")
                .containsEntry("quarkus.security.users.embedded.roles.bob", "operator")
                // printf 'ann:Quarkus:correct horse' | sha256sum
                .containsEntry(
                        "quarkus.security.users.embedded.users.ann",
                        "b41808637154a64b844780c2b92d28f3ff0fbde5b10e994e76d96508df75efab");
        assertThat(settings.values()).noneMatch(value -> value.contains("horse") || value.contains("staple"));
    }

    @Test
    void badLinesAreRejectedWithTheirNumber() throws IOException {
        rejected("ann=viewer:correct horse\nbob\n", "users, line 2: NAME=ROLE:PASSWORD is required");
        rejected("ann=admin:correct horse", "users, line 1: unknown role 'admin', known are viewer and operator");
        rejected("ann=viewer:short", "users, line 1: the password of ann has fewer than 12 characters");
        rejected("a=viewer:correct horse\na=operator:correct horse", "users, line 2: a is there twice");
    }

    @Test
    void aFileThatEveryoneCanReadIsRejected() throws IOException {
        Path file = file("ann=viewer:correct horse");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        assertThatThrownBy(() -> UsersFile.read(file))
                .isInstanceOf(OperatorError.class)
                .hasMessageContaining("every user of this machine can read " + file);
        assertThatThrownBy(() -> UsersFile.read(folder.resolve("missing")))
                .isInstanceOf(OperatorError.class)
                .hasMessageStartingWith("cannot read the users from ");
    }

    private void rejected(String text, String message) throws IOException {
        Path file = file(text);
        assertThatThrownBy(() -> UsersFile.read(file))
                .isInstanceOf(OperatorError.class)
                .hasMessageEndingWith(message);
    }
}
