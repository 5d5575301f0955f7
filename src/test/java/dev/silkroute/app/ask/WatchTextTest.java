package dev.silkroute.app.ask;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.silkroute.app.console.ResultFormat;
import dev.silkroute.net.IpPrefix;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WatchTextTest {
    private static final String UPDATE = """
        {"received_at": "2026-11-25T15:20:37.888123Z", "event": "announce", "router": "edge", "peer": "192.0.2.1",
         "rib_view": "loc-rib", "as_path": "64500", "announcements":
           [{"next_hop": "192.0.2.1", "prefixes": ["198.51.100.0/24", "198.51.100.128/25", "203.0.113.0/24"]}]}""";

    @Test
    void onlySelectedRoutesOfAMessageAreShown() throws JsonProcessingException {
        assertThat(lines(ResultFormat.table, UPDATE))
                .containsExactly(
                        "15:20:37.888 announce     edge             192.0.2.1       loc-rib          198.51.100.0/24      64500\n",
                        "15:20:37.888 announce     edge             192.0.2.1       loc-rib          198.51.100.128/25    64500\n");
        assertThat(lines(ResultFormat.csv, UPDATE)).hasSize(2);
    }

    @Test
    void jsonIsTheWholeMessage() throws JsonProcessingException {
        assertThat(lines(ResultFormat.json, UPDATE)).singleElement().asString().contains("203.0.113.0/24");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"event\": \"peer-up\", \"router\": \"edge\"}",
                "{\"event\": \"announce\", \"routes\": [{\"nlri\": \"ethernet-segment 0\"}]}"
            })
    void eventsWithoutAPrefixAreShown(String message) throws JsonProcessingException {
        assertThat(lines(ResultFormat.table, message)).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "`{\"event\": \"open\", \"direction\": \"sent\", \"asn\": 64500}`, sent AS 64500",
                "`{\"event\": \"notification\", \"direction\": \"received\", \"notification\": {\"code\": 6, \"subcode\": 2}}`, received 6/2",
                "`{\"event\": \"notification\", \"direction\": \"sent\", \"notification\": {\"code\": 6, \"subcode\": 4}, \"communication\": \"bye\"}`, sent 6/4 bye"
            })
    void bgpMessagesHaveTheirDirectionAndContent(String message, String shown) throws JsonProcessingException {
        assertThat(lines(ResultFormat.table, message))
                .singleElement()
                .asString()
                .isEqualToIgnoringWhitespace(
                        new ObjectMapper().readTree(message).get("event").asText() + shown);
    }

    private static List<String> lines(ResultFormat format, String message) throws JsonProcessingException {
        IpPrefix wanted = IpPrefix.parse("198.51.100.0/24");
        return new WatchText(format, false, wanted::covers).lines("ris_message", new ObjectMapper().readTree(message));
    }
}
