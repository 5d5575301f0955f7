package dev.silkroute.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RouteDistinguisherTest {

    @ParameterizedTest
    @CsvSource({
        "0000FBF400000001, 64500:1",
        "0000FFFFFFFFFFFF, 65535:4294967295",
        "0001C00002010001, 192.0.2.1:1",
        "0002FA56EA0B0002, 4200000011:2",
        "0009FA56EA0B0002, 0009fa56ea0b0002",
        "FFFF000000000000, ffff000000000000",
    })
    void textDependsOnTheType(String bytes, String expected) {
        assertThat(RouteDistinguisher.text(Long.parseUnsignedLong(bytes, 16))).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "64500:1, 0000FBF400000001",
        "65535:4294967295, 0000FFFFFFFFFFFF",
        "192.0.2.1:1, 0001C00002010001",
        "4200000011:2, 0002FA56EA0B0002",
        "64500L:2, 00020000FBF40002",
        "0009fa56ea0b0002, 0009FA56EA0B0002",
    })
    void parsesBothTexts(String text, String bytes) {
        long rd = RouteDistinguisher.parse(text);

        assertThat(rd).isEqualTo(Long.parseUnsignedLong(bytes, 16));
        assertThat(RouteDistinguisher.exactText(rd)).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ":",
                "64500",
                "64500:",
                "64500:4294967296",
                "192.0.2.1:65536",
                "4200000011:65536",
                "64500L:65536",
                "192.0.2:1",
                "-1:1",
                "4294967296:1",
                "0009fa56ea0b000g"
            })
    void invalidTextIsRejected(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RouteDistinguisher.parse(text))
                .withMessage("'" + text + "' is not a valid route distinguisher");
    }
}
