package dev.silkroute.app.console;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import java.io.IOException;
import java.io.Writer;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Writes one JSON array of objects, one row per line. Numbers, booleans, arrays and JSON values keep their type, times
 * are ISO 8601; everything else is the string that PostgreSQL sent.
 */
final class JsonResultWriter implements ResultWriter {
    private static final JsonFactory JSON = new JsonFactoryBuilder()
            .rootValueSeparator(",\n")
            .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
            .disable(StreamWriteFeature.AUTO_CLOSE_CONTENT)
            .build();
    private static final Pattern NUMBER = Pattern.compile("-?\\d+(\\.\\d+)?([eE][+-]?\\d+)?");
    private static final Pattern TIME =
            Pattern.compile("(\\d{4,}-\\d\\d-\\d\\d) (\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?)(?:\\+00)?");

    private final Writer out;

    JsonResultWriter(Writer out) {
        this.out = out;
    }

    @Override
    public void write(ResultSet rows) throws SQLException, IOException {
        var columns = rows.getMetaData();
        int count = columns.getColumnCount();
        // Each row is a root value of the generator, so the array around them is written by hand.
        out.write('[');
        try (var json = JSON.createGenerator(out)) {
            for (boolean first = true; rows.next(); first = false) {
                if (first) {
                    out.write('\n');
                }
                json.writeStartObject();
                for (int i = 1; i <= count; i++) {
                    json.writeFieldName(columns.getColumnLabel(i));
                    writeColumn(json, rows, i, columns.getColumnTypeName(i));
                }
                json.writeEndObject();
            }
        }
        out.write("\n]\n");
    }

    private static void writeColumn(JsonGenerator json, ResultSet rows, int column, String type)
            throws SQLException, IOException {
        if (!type.startsWith("_")) {
            writeValue(json, rows.getString(column), type);
            return;
        }
        var array = rows.getArray(column);
        if (array == null) {
            json.writeNull();
        } else {
            writeArray(json, array);
        }
    }

    /**
     * Reads the elements as rows, which are the strings that PostgreSQL sent. As objects the driver would convert
     * times to this machine's time zone and could not represent bytes.
     */
    private static void writeArray(JsonGenerator json, Array array) throws SQLException, IOException {
        try (var elements = array.getResultSet()) {
            var type = elements.getMetaData().getColumnTypeName(2);
            json.writeStartArray();
            while (elements.next()) {
                writeColumn(json, elements, 2, type);
            }
            json.writeEndArray();
        }
    }

    /**
     * Writes a value that PostgreSQL sent as text.
     *
     * @param type PostgreSQL's name of the type, such as {@code int8}, {@code jsonb} or {@code timestamptz}
     */
    static void writeValue(JsonGenerator json, @Nullable String text, String type) throws IOException {
        if (text == null) {
            json.writeNull();
            return;
        }
        switch (type) {
            case "int2", "int4", "int8", "numeric", "float4", "float8", "oid", "serial", "bigserial" -> {
                // JSON has no number for NaN and Infinity.
                if (NUMBER.matcher(text).matches()) {
                    json.writeNumber(text);
                } else {
                    json.writeString(text);
                }
            }
            case "bool" -> json.writeBoolean(text.startsWith("t"));
            case "json", "jsonb" -> json.writeRawValue(text);
            case "timestamptz" -> json.writeString(TIME.matcher(text).replaceFirst("$1T$2Z"));
            case "timestamp" -> json.writeString(TIME.matcher(text).replaceFirst("$1T$2"));
            default -> json.writeString(text);
        }
    }
}
