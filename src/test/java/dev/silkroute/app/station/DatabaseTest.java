package dev.silkroute.app.station;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.silkroute.app.config.OperatorError;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Passwords in URLs never appear in messages. */
class DatabaseTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql://127.0.0.1:99999/x?user=u&password=geheim",
                "jdbc:postgresql://127.0.0.1:1/x?sslpassword=geheim&user=u",
                "postgres://u:geheim@127.0.0.1/x"
            })
    void anUnreachableDatabaseIsReportedWithoutItsPassword(String url) {
        assertThatThrownBy(() -> Database.connect(url))
                .isInstanceOf(OperatorError.class)
                .hasMessageContaining("127.0.0.1")
                .message()
                .doesNotContain("geheim");
    }

    @Test
    void theRestOfAMessageIsUnchanged() {
        assertThat(Database.hidePassword("cannot parse jdbc:postgresql://h/x?password=a&user=u (or ?sslpassword=b)"))
                .isEqualTo("cannot parse jdbc:postgresql://h/x?password=…&user=u (or ?sslpassword=…");
    }
}
