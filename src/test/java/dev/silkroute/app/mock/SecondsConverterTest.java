package dev.silkroute.app.mock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class SecondsConverterTest {
    private final SecondsConverter converter = new SecondsConverter();

    @ParameterizedTest
    @CsvSource({"90,90", "0.5,0.5", "1e3,1000", "15s,15", "1500ms,1.5", "2m,120", "1h,3600", "1d,86400", "-1,-1"})
    void convertsToSeconds(String text, double seconds) {
        assertThat(converter.convert(text)).isEqualTo(seconds);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "s", "10f", "NaN", "Infinity", "2 weeks", "1,5"})
    void invalidDurationsAreRejected(String text) {
        assertThatThrownBy(() -> converter.convert(text))
                .isInstanceOf(TypeConversionException.class)
                .hasMessage("'" + text + "' is not a duration such as 90, 15s or 2m");
    }
}
