package dev.silkroute.bgp.nlri;

import dev.silkroute.net.ByteSink;
import java.util.Arrays;

/**
 * The fields of one NLRI type, in the order of the wire: validates, formats and keys NLRI of this type. Immutable.
 *
 * <p>Example: {@code Layout.of().with("rd", DISTINGUISHER).with("pe", IPV4)} accepts exactly twelve bytes, and
 * {@code 0000fbf400000001c0000201} has the text {@code rd=64500:1 pe=192.0.2.1}.
 */
final class Layout {
    private record Field(String name, FieldType type, boolean inKey) {}

    private final Field[] fields;

    private Layout(Field[] fields) {
        this.fields = fields;
    }

    static Layout of() {
        return new Layout(new Field[0]);
    }

    /** Returns this layout with one more field, which is part of the route key. */
    Layout with(String name, FieldType type) {
        return plus(new Field(name, type, true));
    }

    /** Returns this layout with one more field, which is an attribute of the route and not part of its key. */
    Layout withAttribute(String name, FieldType type) {
        return plus(new Field(name, type, false));
    }

    private Layout plus(Field field) {
        Field[] more = Arrays.copyOf(fields, fields.length + 1);
        more[fields.length] = field;
        return new Layout(more);
    }

    /** Returns whether the fields fill the bytes exactly. Does not allocate. */
    boolean fits(byte[] b, int from, int to) {
        int at = from;
        for (Field field : fields) {
            at = field.type.end(b, at, to);
            if (at < 0) {
                return false;
            }
        }
        return at == to;
    }

    /** Appends {@code name=value} words, separated by one space. */
    void text(byte[] b, int from, int to, StringBuilder out) {
        int at = from;
        boolean first = true;
        for (Field field : fields) {
            int end = field.type.end(b, at, to);
            if (!field.type.isOmitted(b, at)) {
                out.append(first ? "" : " ").append(field.name).append('=');
                field.type.text(b, at, end, out);
                first = false;
            }
            at = end;
        }
    }

    /** Returns whether every field is part of the key. */
    boolean isWholeKey() {
        for (Field field : fields) {
            if (!field.inKey) {
                return false;
            }
        }
        return true;
    }

    /** Appends the fields that are part of the key. */
    void key(byte[] b, int from, int to, ByteSink out) {
        int at = from;
        for (Field field : fields) {
            int end = field.type.end(b, at, to);
            if (field.inKey) {
                field.type.key(b, at, end, out);
            }
            at = end;
        }
    }
}
