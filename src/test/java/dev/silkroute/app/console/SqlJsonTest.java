package dev.silkroute.app.console;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SqlJsonTest {
    @Test
    void numbersStayNumbersWhereJsonHasThem() {
        assertThat(SqlJson.value("4294967295", "int8")).isEqualTo("4294967295");
        assertThat(SqlJson.value("-1.50", "numeric")).isEqualTo("-1.50");
        assertThat(SqlJson.value("1e+20", "float8")).isEqualTo("1e+20");
        assertThat(SqlJson.value("NaN", "numeric")).isEqualTo("\"NaN\"");
        assertThat(SqlJson.value("-Infinity", "float8")).isEqualTo("\"-Infinity\"");
    }

    @Test
    void timesAreIso8601() {
        assertThat(SqlJson.value("2026-01-02 03:04:05.6+00", "timestamptz")).isEqualTo("\"2026-01-02T03:04:05.6Z\"");
        assertThat(SqlJson.value("2026-01-02 03:04:05", "timestamp")).isEqualTo("\"2026-01-02T03:04:05\"");
        assertThat(SqlJson.value("infinity", "timestamptz")).isEqualTo("\"infinity\"");
    }

    @Test
    void theRestIsText() {
        assertThat(SqlJson.value("t", "bool")).isEqualTo("true");
        assertThat(SqlJson.value("f", "bool")).isEqualTo("false");
        assertThat(SqlJson.value("{\"a\": 1}", "jsonb")).isEqualTo("{\"a\": 1}");
        assertThat(SqlJson.value("10.0.0.0/8", "cidr")).isEqualTo("\"10.0.0.0/8\"");
        assertThat(SqlJson.value("1", "text")).isEqualTo("\"1\"");
        assertThat(SqlJson.value(null, "int4")).isEqualTo("null");
    }
}
