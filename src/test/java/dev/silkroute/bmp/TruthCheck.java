package dev.silkroute.bmp;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.silkroute.bgp.DecodeOutcome;
import dev.silkroute.net.Addresses;
import dev.silkroute.net.DecodeException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Compares every message of a capture with its truth, row by row and in order. */
final class TruthCheck {
    private static final ObjectMapper JSON = new ObjectMapper();
    /** Fields of the truth that describe itself rather than the message. */
    private static final Set<String> ABOUT = Set.of("n", "off", "by", "tolerant", "no_peer_up", "trailing");

    /**
     * @param compared rows that are equal to the truth
     * @param quarantined messages that neither decoder accepts
     */
    record Result(int compared, int quarantined, Map<DecodeOutcome.Kind, Integer> outcomes) {}

    private static final Pattern MAPPED = Pattern.compile("\"::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\"");

    private TruthCheck() {}

    private static String dotted(MatchResult mapped) {
        int address = Integer.parseInt(mapped.group(1), 16) << 16 | Integer.parseInt(mapped.group(2), 16);
        return "\"::ffff:" + Addresses.ipv4(address) + "\"";
    }

    static Result check(Capture capture) {
        TruthRows decoder = new TruthRows();
        List<Integer> boundaries = capture.boundaries();
        int compared = 0;
        int quarantined = 0;
        for (int n = 0; n + 1 < boundaries.size(); n++) {
            List<JsonNode> truth = capture.truth().getOrDefault(n, List.of());
            int from = boundaries.get(n);
            assertThat(truth).as("truth of message %d of %s", n, capture.name()).isNotEmpty();
            assertThat(truth.getFirst().get("off").asInt()).isEqualTo(from);
            List<JsonNode> actual = new ArrayList<>();
            try {
                decoder.decode(capture.stream(), from, boundaries.get(n + 1)).forEach(row -> actual.add(normal(row)));
            } catch (DecodeException e) {
                assertThat(truth.getFirst().get("type").asText())
                        .as("message %d of %s at %d: %s", n, capture.name(), from, e.getMessage())
                        .isEqualTo("malformed");
                quarantined++;
                continue;
            }
            List<JsonNode> expected = truth.stream().map(TruthCheck::normal).toList();
            assertThat(actual)
                    .as("message %d of %s at %d", n, capture.name(), from)
                    .isEqualTo(expected);
            compared += expected.size();
        }
        return new Result(compared, quarantined, decoder.outcomes());
    }

    /**
     * Returns a row without remarks, with IPv4-mapped addresses in the format of RFC 5952, Section 5, and with numbers
     * of one Java type, which Jackson's equality requires.
     */
    private static JsonNode normal(JsonNode row) {
        try {
            ObjectNode copy =
                    (ObjectNode) JSON.readTree(MAPPED.matcher(row.toString()).replaceAll(TruthCheck::dotted));
            copy.remove(ABOUT);
            return copy;
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }
}
