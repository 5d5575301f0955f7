package dev.silkroute.net;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import org.junit.jupiter.api.Test;

class JsonTextTest {

    @Test
    void hostileTextStaysText() throws Exception {
        // Given
        String hostile = "a\"b\\c\n\u0001\u2028é\uD83D\uDE00";

        // When
        String json = new JsonText()
                .begin()
                .field("text", hostile)
                .field("list", List.of("x", "y"))
                .name("nested")
                .begin()
                .end()
                .field("number", -1)
                .field("yes", true)
                .name("raw")
                .json("null")
                .end()
                .toString();

        // Then
        assertThat(new ObjectMapper().readTree(json).get("text").asText()).isEqualTo(hostile);
        assertThat(json).endsWith("\"list\":[\"x\",\"y\"],\"nested\":{},\"number\":-1,\"yes\":true,\"raw\":null}");
    }

    @Test
    void whatADatabaseCannotHoldIsLeftOutOrReplaced() {
        assertThat(new JsonText().value("a\u0000b").toString()).isEqualTo("\"ab\"");
        assertThat(new JsonText().value("\uD83Dx").toString()).isEqualTo("\"\uFFFDx\"");
    }
}
