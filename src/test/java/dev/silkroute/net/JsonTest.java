package dev.silkroute.net;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class JsonTest {

    @Test
    void anyStringIsEscaped() throws Exception {
        // Given
        String hostile = "a\"b\\c\n\u0001\u2028\uFFFDé\uD83D\uDE00";
        Json.Value value = json -> {
            json.writeStartObject();
            json.writeStringField("text", hostile);
            Json.strings("list", List.of("x", "y"), json);
            json.writeEndObject();
        };

        // When, then
        String string = Json.string(value);
        assertThat(new ObjectMapper().readTree(string).get("text").asText()).isEqualTo(hostile);
        assertThat(string).endsWith("\"list\":[\"x\",\"y\"]}");
        assertThat(new String(Json.utf8(value), StandardCharsets.UTF_8)).isEqualTo(string);
    }

    @Test
    void nulIsOmittedBecauseJsonbCannotStoreIt() {
        Json.Value value = json -> json.writeString("a\u0000b");

        assertThat(Json.string(value)).isEqualTo("\"ab\"");
        assertThat(Json.utf8(value)).asString().isEqualTo("\"ab\"");
    }
}
