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
 * The flow records of a request's body, each as it is to be read by itself.
 *
 * @param unit what {@code places} count: records of JSON, or lines of text; both from 1 on
 * @param records JSON in UTF-8; of lines, whatever they are
 */
record FlowRecords(String unit, List<Integer> places, List<byte[]> records) {
    private static final ObjectReader JSON =
            exact(new ObjectMapper().reader()).with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
    private static final ObjectWriter WRITER = new ObjectMapper().writer();

    /** Numbers as they came: as doubles they would lose digits, and become Infinity where they are large. */
    static ObjectReader exact(ObjectReader json) {
        return json.with(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                .without(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES);
    }

    /**
     * One JSON object, or an array of them.
     *
     * @throws IllegalArgumentException if it is neither, with place and reason
     */
    static FlowRecords json(byte[] body) {
        try {
            JsonNode whole = JSON.readTree(new String(body, StandardCharsets.UTF_8));
            if (!whole.isObject() && !whole.isArray()) {
                throw new IllegalArgumentException("the body is neither a JSON object nor an array of them");
            }
            List<byte[]> records = new ArrayList<>();
            for (JsonNode record : whole.isArray() ? whole : List.of(whole)) {
                records.add(WRITER.writeValueAsBytes(record));
            }
            List<Integer> places =
                    IntStream.rangeClosed(1, records.size()).boxed().toList();
            return new FlowRecords("record", places, records);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(
                    "the body is no JSON: " + e.getOriginalMessage() + " at line "
                            + e.getLocation().getLineNr() + ", character "
                            + e.getLocation().getColumnNr() + "; none of it was taken",
                    e);
        }
    }

    /** A JSON object in each line; empty lines count, and say nothing. */
    static FlowRecords lines(byte[] body) {
        List<Integer> places = new ArrayList<>();
        List<byte[]> records = new ArrayList<>();
        String[] lines = new String(body, StandardCharsets.UTF_8).split("\\R", -1);
        for (int i = 0; i < lines.length; i++) {
            if (!lines[i].isBlank()) {
                places.add(i + 1);
                records.add(lines[i].strip().getBytes(StandardCharsets.UTF_8));
            }
        }
        return new FlowRecords("line", places, records);
    }
}
