package dev.silkroute.net;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.CharacterEscapes;
import com.fasterxml.jackson.core.io.SerializedString;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Creates JSON documents with Jackson's streaming API.
 *
 * <p>U+0000 is omitted from strings, because PostgreSQL's {@code jsonb} cannot store it; where the strings come from
 * routers, their bytes are beside them in hex. Thread-safe.
 */
public final class Json {
    private static final JsonFactory FACTORY = new JsonFactory().setCharacterEscapes(new WithoutNul());

    private Json() {}

    /** Writes the one value of a document. */
    @FunctionalInterface
    public interface Value {
        void write(JsonGenerator json) throws IOException;
    }

    /** Returns a document as a string. */
    public static String string(Value value) {
        StringWriter out = new StringWriter(256);
        try (JsonGenerator json = FACTORY.createGenerator(out)) {
            value.write(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toString();
    }

    /** Returns a document in UTF-8. */
    public static byte[] utf8(Value value) {
        return string(value).getBytes(StandardCharsets.UTF_8);
    }

    /** Writes a field whose value is an array of strings. */
    public static void strings(String name, List<String> values, JsonGenerator json) throws IOException {
        json.writeArrayFieldStart(name);
        for (String value : values) {
            json.writeString(value);
        }
        json.writeEndArray();
    }

    /** The escapes of JSON, and none for U+0000. */
    private static final class WithoutNul extends CharacterEscapes {
        private static final long serialVersionUID = 1L;
        private static final SerializableString NOTHING = new SerializedString("");

        private final int[] escapes = standardAsciiEscapesForJSON();

        WithoutNul() {
            escapes[0] = ESCAPE_CUSTOM;
        }

        @Override
        public int[] getEscapeCodesForAscii() {
            return escapes;
        }

        @Override
        public @Nullable SerializableString getEscapeSequence(int character) {
            return character == 0 ? NOTHING : null;
        }
    }
}
