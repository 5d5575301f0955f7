package dev.silkroute.app.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import java.io.IOException;
import java.io.StringWriter;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class JsonResultWriterTest {
    @Test
    void numbersStayNumbersWhereJsonHasThem() throws IOException {
        assertThat(value("4294967295", "int8")).isEqualTo("4294967295");
        assertThat(value("-1.50", "numeric")).isEqualTo("-1.50");
        assertThat(value("1e+20", "float8")).isEqualTo("1e+20");
        assertThat(value("NaN", "numeric")).isEqualTo("\"NaN\"");
        assertThat(value("-Infinity", "float8")).isEqualTo("\"-Infinity\"");
    }

    @Test
    void timesAreIso8601() throws IOException {
        assertThat(value("2026-01-02 03:04:05.6+00", "timestamptz")).isEqualTo("\"2026-01-02T03:04:05.6Z\"");
        assertThat(value("2026-01-02 03:04:05", "timestamp")).isEqualTo("\"2026-01-02T03:04:05\"");
        assertThat(value("infinity", "timestamptz")).isEqualTo("\"infinity\"");
    }

    @Test
    void booleansAndJsonKeepTheirTypeAndTheRestIsAString() throws IOException {
        assertThat(value("t", "bool")).isEqualTo("true");
        assertThat(value("f", "bool")).isEqualTo("false");
        assertThat(value("{\"a\": 1}", "jsonb")).isEqualTo("{\"a\": 1}");
        assertThat(value("10.0.0.0/8", "cidr")).isEqualTo("\"10.0.0.0/8\"");
        assertThat(value("1", "text")).isEqualTo("\"1\"");
        assertThat(value(null, "int4")).isEqualTo("null");
    }

    private static String value(@Nullable String text, String type) throws IOException {
        StringWriter out = new StringWriter();
        try (var json = new JsonFactory().createGenerator(out)) {
            JsonResultWriter.writeValue(json, text, type);
        }
        return out.toString();
    }
}
