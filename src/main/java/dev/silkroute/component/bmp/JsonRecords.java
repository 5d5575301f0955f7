package dev.silkroute.component.bmp;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Records of the low-volume lanes as JSON texts. Thread-safe. */
final class JsonRecords {
    private final ObjectWriter writer = new ObjectMapper().writer();

    List<String> texts(List<Map<String, Object>> records) {
        List<String> texts = new ArrayList<>(records.size());
        for (Map<String, Object> record : records) {
            try {
                texts.add(writer.writeValueAsString(record));
            } catch (JsonProcessingException e) {
                throw new UncheckedIOException(e);
            }
        }
        return texts;
    }
}
