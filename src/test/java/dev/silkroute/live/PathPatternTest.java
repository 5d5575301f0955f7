package dev.silkroute.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PathPatternTest {
    private static final List<String> PATH = List.of("64500", "64501", "64501", "[64510,64511]", "64502");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "64501 | true",
                "64599 | false",
                "645 | false",
                "64500,64501 | true",
                "64500,64502 | false",
                "^64500 | true",
                "^64501 | false",
                "64502$ | true",
                "64501$ | false",
                "[64511, 64510],64502$ | true",
                "[64510] | false",
                "^64500,64501,64501,[64510,64511],64502$ | true",
                "^64500,64502$ | false",
                "!64599 | true",
                "!^64500 | false",
                "!64501$ | true",
                "64500,64501,64501,[64510,64511],64502,64503 | false"
            })
    void matchesLikeRisLive(String pattern, boolean matches) {
        assertThat(PathPattern.parse(pattern).matches(PATH)).isEqualTo(matches);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "^",
                "!",
                "^$",
                "64500,",
                ",64500",
                "AS64500",
                "64500 64501",
                "[]",
                "[1,,2]",
                "1$2",
                "99999999999"
            })
    void rejectsOthers(String text) {
        assertThatThrownBy(() -> PathPattern.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is not a path pattern");
    }
}
