package dev.silkroute.net;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
}
