package dev.silkroute.app.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quarkus.runtime.configuration.DurationConverter;
import java.time.Duration;
import org.apache.camel.CamelContext;
import org.apache.camel.impl.DefaultCamelContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationFormatTest {
    private static final CamelContext CAMEL = new DefaultCamelContext();

    @AfterAll
    static void stop() {
        CAMEL.stop();
    }

    /** A value is read by this class before the start, then by Quarkus for beans and by Camel for routes. */
    @ParameterizedTest
    @CsvSource({
        "500ms, 500",
        "45s, 45000",
        "90m, 5400000",
        "1h30m, 5400000",
        "24h, 86400000",
        "7d, 604800000",
        "PT36H, 129600000",
        "P2D, 172800000",
        "0s, 0"
    })
    void quarkusAndCamelInterpretADurationAlike(String text, long millis) {
        assertThat(DurationFormat.parse(text)).isEqualTo(Duration.ofMillis(millis));
        assertThat(new DurationConverter().convert(text)).isEqualTo(Duration.ofMillis(millis));
        assertThat(CAMEL.getTypeConverter().convertTo(Duration.class, text)).isEqualTo(Duration.ofMillis(millis));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "60", "1.5", "5 minutes", "1 h", "-5s", "PT-5S", "1d12h", "7w", "h", "99999999999999999d"})
    void otherTextIsRejected(String text) {
        assertThatThrownBy(() -> DurationFormat.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("'" + text + "' is not a duration such as 500ms, 30s, 1h30m or 7d");
    }
}
