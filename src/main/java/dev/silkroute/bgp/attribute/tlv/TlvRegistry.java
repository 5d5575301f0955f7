package dev.silkroute.bgp.attribute.tlv;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.silkroute.net.Hex;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The TLVs of one code space: their format, and a row for each code with its name and the fields of its value. Writes
 * TLVs as a JSON array of {@code {"type", "name", "value", fields…}}. A new TLV is one row. Filled while its class is
 * initialized, then thread-safe.
 */
final class TlvRegistry {
    /** Writes the fields of a value into the open JSON object. */
    @FunctionalInterface
    interface Fields {
        /** Returns false, with nothing written, if the value does not have the form of its code. */
        boolean write(byte[] b, int from, int to, JsonGenerator json) throws IOException;
    }

    /** Writes the fields of a value whose length has been checked. */
    @FunctionalInterface
    interface FixedFields {
        void write(byte[] b, int from, JsonGenerator json) throws IOException;
    }

    private record Row(String name, Fields fields) {}

    private final TlvFormat format;
    private final Map<Integer, Row> rows = new HashMap<>();

    TlvRegistry(TlvFormat format) {
        this.format = format;
    }

    TlvRegistry add(int code, String name, Fields fields) {
        rows.put(code, new Row(name, fields));
        return this;
    }

    /** Adds a TLV whose value has exactly this length; other lengths have no fields. */
    TlvRegistry add(int code, String name, int length, FixedFields fields) {
        return add(code, name, (b, from, to, json) -> {
            if (to - from == length) {
                fields.write(b, from, json);
            }
            return to - from == length;
        });
    }

    /** Adds a TLV that has a name and no fields. */
    TlvRegistry add(int code, String name) {
        return add(code, name, (b, from, to, json) -> false);
    }

    /** Adds all rows of another registry. */
    TlvRegistry addAll(TlvRegistry other) {
        rows.putAll(other.rows);
        return this;
    }

    /**
     * Writes the TLVs of an attribute, which have been validated: each has all its bytes in {@code value}, and its
     * fields beside them.
     */
    void write(byte[] b, int from, int to, JsonGenerator json) throws IOException {
        write(true, b, from, to, json);
    }

    /**
     * Writes TLVs within a TLV as a field of the open object. They have a {@code value} only if they have no fields,
     * because the outer TLV has all bytes.
     *
     * @return false, with nothing written, if the bytes are not whole TLVs
     */
    boolean writeNested(String name, byte[] b, int from, int to, JsonGenerator json) throws IOException {
        if (!format.fits(b, from, to)) {
            return false;
        }
        json.writeFieldName(name);
        write(false, b, from, to, json);
        return true;
    }

    private void write(boolean withBytes, byte[] b, int from, int to, JsonGenerator json) throws IOException {
        json.writeStartArray();
        int end;
        for (int at = from; at < to; at = end) {
            end = format.end(b, at, to);
            int code = format.type(b, at);
            int value = format.value(b, at);
            json.writeStartObject();
            json.writeNumberField("type", code);
            Row row = rows.get(code);
            if (row != null) {
                json.writeStringField("name", row.name);
            }
            if (withBytes) {
                json.writeStringField("value", Hex.of(b, value, end));
            }
            boolean hasFields = hasFields(row, b, value, end, json);
            if (!hasFields && !withBytes) {
                json.writeStringField("value", Hex.of(b, value, end));
            }
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static boolean hasFields(@Nullable Row row, byte[] b, int from, int to, JsonGenerator json)
            throws IOException {
        return row != null && row.fields.write(b, from, to, json);
    }
}
