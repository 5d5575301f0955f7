package dev.silkroute.postgres.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ParameterValuesTest {
    @Test
    void aNumberTakesTheWidthOfItsType() {
        assertThat(ParameterValues.convert("int8", 5)).isEqualTo(5L);
        assertThat(ParameterValues.convert("int4", 5L)).isEqualTo(5);
        assertThat(ParameterValues.convert("int2", new BigDecimal("-7.0"))).isEqualTo((short) -7);
        assertThat(ParameterValues.convert("numeric", 4294967295L)).isEqualTo(new BigDecimal("4294967295"));
        assertThat(ParameterValues.convert("float8", 2)).isEqualTo(2.0);
        assertThat(ParameterValues.convert("float4", Double.NEGATIVE_INFINITY)).isEqualTo(Float.NEGATIVE_INFINITY);
    }

    /** The driver would cut 4294967295 to -1. */
    @ParameterizedTest
    @CsvSource({
        "int4, 4294967295",
        "int4, -2147483649",
        "int2, 32768",
        "int8, 9223372036854775808",
        "int4, 1.5",
        "float4, 1e39",
        "float4, -1e39",
        "float8, 1e309"
    })
    void aNumberThatDoesNotFitIsRejected(String type, BigDecimal number) {
        assertThatThrownBy(() -> ParameterValues.convert(type, number)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aTextIsNotANumber() {
        assertThatThrownBy(() -> ParameterValues.convert("int8", "5")).hasMessage("not a whole number: String 5");
        assertThatThrownBy(() -> ParameterValues.convert("text", 5)).hasMessage("not a text: Integer 5");
    }

    @Test
    void timesOfSeveralKindsAreOneType() {
        Instant instant = Instant.parse("2026-01-02T03:04:05Z");

        assertThat(ParameterValues.convert("timestamptz", instant))
                .isEqualTo(OffsetDateTime.parse("2026-01-02T03:04:05Z"));
        assertThat(ParameterValues.convert("timestamptz", java.sql.Timestamp.from(instant)))
                .isEqualTo(OffsetDateTime.parse("2026-01-02T03:04:05Z"));
    }

    @Test
    void collectionsAndArraysAreArrays() {
        assertThat((Long[]) ParameterValues.convert("_int8", new int[] {1, 2})).containsExactly(1L, 2L);
        assertThat((String[]) ParameterValues.convert("_text", Arrays.asList("a", null)))
                .containsExactly("a", null);
        assertThat((UUID[]) ParameterValues.convert("_uuid", List.of())).isEmpty();
        assertThatThrownBy(() -> ParameterValues.convert("_int4", List.of(1L << 32)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /** The driver would write null for most of these. */
    @ParameterizedTest
    @CsvSource({"oid", "macaddr", "bit", "interval", "_macaddr"})
    void whatTheDriverCannotWriteIsRejected(String type) {
        Object value = type.startsWith("_") ? List.of("x") : "x";

        assertThatThrownBy(() -> ParameterValues.convert(type, value)).hasMessageContaining("::text::");
    }

    @Test
    void addressesAreTexts() {
        assertThat(ParameterValues.convert("cidr", "2001:db8::/32").toString()).isNotEmpty();
        assertThatThrownBy(() -> ParameterValues.convert("inet", "example.net"))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
