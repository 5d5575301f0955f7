package dev.silkroute.bgp.attribute;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion.VersionFlag;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The JSON Schema of attribute sets that the documentation has. */
public final class AttributeSchema {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final JsonNode DOCUMENT = read(Path.of("docs/reference/schema/attributes.schema.json"));
    private static final JsonSchema SCHEMA =
            JsonSchemaFactory.getInstance(VersionFlag.V202012).getSchema(DOCUMENT);

    private AttributeSchema() {}

    /** Fails if the text is no attribute set as the schema has it. */
    public static JsonNode check(String json) {
        try {
            JsonNode node = JSON.readTree(json);
            assertThat(SCHEMA.validate(node)).as(json).isEmpty();
            return node;
        } catch (JsonProcessingException e) {
            throw new AssertionError(json, e);
        }
    }

    static boolean allows(String json) throws JsonProcessingException {
        return SCHEMA.validate(JSON.readTree(json)).isEmpty();
    }

    /** The keys of a set, in the schema's order. */
    static List<String> keys() {
        return DOCUMENT.get("properties").properties().stream()
                .map(Map.Entry::getKey)
                .toList();
    }

    private static JsonNode read(Path file) {
        try {
            return JSON.readTree(Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
