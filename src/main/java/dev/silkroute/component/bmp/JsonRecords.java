package dev.silkroute.component.bmp;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import dev.silkroute.session.RawJson;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Records of the low-volume lanes as JSON texts. Thread-safe. */
public final class JsonRecords {
    private final ObjectWriter writer = new ObjectMapper()
            .registerModule(new SimpleModule().addSerializer(RawJson.class, new Raw()))
            .writer();

    public List<byte[]> texts(List<Map<String, Object>> records) {
        List<byte[]> texts = new ArrayList<>(records.size());
        for (Map<String, Object> record : records) {
            try {
                texts.add(writer.writeValueAsBytes(record));
            } catch (JsonProcessingException e) {
                throw new UncheckedIOException(e);
            }
        }
        return texts;
    }

    private static final class Raw extends StdSerializer<RawJson> {
        private static final long serialVersionUID = 1L;

        Raw() {
            super(RawJson.class);
        }

        @Override
        public void serialize(RawJson value, JsonGenerator generator, SerializerProvider provider) throws IOException {
            generator.writeRawValue(value.text());
        }
    }
}
