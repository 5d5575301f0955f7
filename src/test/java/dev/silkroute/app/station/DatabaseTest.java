package dev.silkroute.app.station;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.silkroute.app.config.OperatorError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Passwords in URLs never appear in messages. */
class DatabaseTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql://127.0.0.1:99999/x?user=u&password=secret",
                "jdbc:postgresql://127.0.0.1:1/x?sslpassword=secret&user=u",
                "postgres://u:secret@127.0.0.1/x"
            })
    void anUnreachableDatabaseIsReportedWithoutItsPassword(String url) {
        assertThatThrownBy(() -> Database.connect(url))
                .isInstanceOf(OperatorError.class)
                .hasMessageContaining("127.0.0.1")
                .message()
                .doesNotContain("secret");
    }

    @Test
    void aPasswordIsReadFromAFileThatOthersCannotRead(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("password"), "a&b\n");
        var settings = Optional.of(file);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        assertThat(Database.withPassword("jdbc:postgresql://h/x?user=u", settings))
                .isEqualTo("jdbc:postgresql://h/x?user=u&password=a%26b");
        assertThat(Database.withPassword("jdbc:postgresql://h/x", Optional.empty()))
                .isEqualTo("jdbc:postgresql://h/x");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        assertThatThrownBy(() -> Database.withPassword("jdbc:postgresql://h/x", settings))
                .isInstanceOf(OperatorError.class)
                .hasMessageContaining("silkroute.jdbc-password-file: every user of this machine can read " + file);
    }

    @Test
    void theRestOfAMessageIsUnchanged() {
        assertThat(Database.hidePassword("cannot parse jdbc:postgresql://h/x?password=a&user=u (or ?sslpassword=b)"))
                .isEqualTo("cannot parse jdbc:postgresql://h/x?password=…&user=u (or ?sslpassword=…");
    }
}
