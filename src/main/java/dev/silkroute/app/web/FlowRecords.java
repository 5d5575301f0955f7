package dev.silkroute.app.web;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The flow records of a request body, separated so that each can be parsed by itself.
 *
 * @param unit what {@code positions} count: {@code record} for JSON, {@code line} for lines of text; both from 1
 * @param records each record in UTF-8: valid JSON if the body was JSON, unchecked if it was lines
 */
record FlowRecords(String unit, List<Integer> positions, List<byte[]> records) {
    private static final ObjectReader JSON =
            exact(new ObjectMapper().reader()).with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
    private static final ObjectWriter WRITER = new ObjectMapper().writer();

    /** Makes a reader keep numbers as they are; as doubles they would lose digits, and large ones become Infinity. */
    static ObjectReader exact(ObjectReader json) {
        return json.with(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                .without(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES);
    }

    /**
     * Reads one JSON object or an array of objects.
     *
     * @throws IllegalArgumentException if the body is neither, with position and reason
     */
    static FlowRecords json(byte[] body) {
        try {
            JsonNode root = JSON.readTree(new String(body, StandardCharsets.UTF_8));
            if (!root.isObject() && !root.isArray()) {
                throw new IllegalArgumentException("the body is neither a JSON object nor an array of JSON objects");
            }
            List<byte[]> records = new ArrayList<>();
            for (JsonNode record : root.isArray() ? root : List.of(root)) {
                records.add(WRITER.writeValueAsBytes(record));
            }
            List<Integer> positions =
                    IntStream.rangeClosed(1, records.size()).boxed().toList();
            return new FlowRecords("record", positions, records);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(
                    "the body is not valid JSON: " + e.getOriginalMessage() + " at line "
                            + e.getLocation().getLineNr() + ", character "
                            + e.getLocation().getColumnNr() + "; no record was accepted",
                    e);
        }
    }

    /** Splits a body into lines of one JSON object each. Blank lines are skipped but counted in the positions. */
    static FlowRecords lines(byte[] body) {
        List<Integer> positions = new ArrayList<>();
        List<byte[]> records = new ArrayList<>();
        String[] lines = new String(body, StandardCharsets.UTF_8).split("\\R", -1);
        for (int i = 0; i < lines.length; i++) {
            if (!lines[i].isBlank()) {
                positions.add(i + 1);
                records.add(lines[i].strip().getBytes(StandardCharsets.UTF_8));
            }
        }
        return new FlowRecords("line", positions, records);
    }
}
