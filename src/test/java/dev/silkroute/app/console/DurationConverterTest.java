package dev.silkroute.app.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class DurationConverterTest {
    private final DurationConverter converter = new DurationConverter();

    @ParameterizedTest
    @CsvSource({
        "90, 90000",
        "1.5, 1500",
        "0.25, 250",
        "0, 0",
        "1.5s, 1500",
        "90s, 90000",
        "500ms, 500",
        "2m, 120000",
        "1h, 3600000",
        "1h30m, 5400000",
        "7d, 604800000",
        "PT1.5S, 1500"
    })
    void secondsOrADurationOfTheConfiguration(String text, long millis) {
        assertThat(converter.convert(text)).isEqualTo(Duration.ofMillis(millis));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "s", "soon", "1.5h", "1e3", "1d12h", "60 s", "NaN", "9999999999"})
    void otherTextIsRejected(String text) {
        assertThatThrownBy(() -> converter.convert(text))
                .isInstanceOf(TypeConversionException.class)
                .hasMessage("'" + text + "' is not a duration such as 90, 1.5s, 2m or 1h30m");
    }
}
