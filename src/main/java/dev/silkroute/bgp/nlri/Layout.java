package dev.silkroute.bgp.nlri;

import dev.silkroute.net.ByteSink;
import java.util.Arrays;

/**
 * One kind of NLRI as a row of fields: what validates, prints, parses and keys it. Names of fields differ within a layout.
 *
 * @see FieldKind
 */
final class Layout {
    private record Field(String name, FieldKind kind, boolean inKey) {}

    private final Field[] fields;

    private Layout(Field[] fields) {
        this.fields = fields;
    }

    static Layout of() {
        return new Layout(new Field[0]);
    }

    /** This layout and one field more. */
    Layout with(String name, FieldKind kind) {
        return plus(new Field(name, kind, true));
    }

    /** This layout and a field more, which is an attribute of the route and no part of its key. */
    Layout withAttribute(String name, FieldKind kind) {
        return plus(new Field(name, kind, false));
    }

    private Layout plus(Field field) {
        Field[] more = Arrays.copyOf(fields, fields.length + 1);
        more[fields.length] = field;
        return new Layout(more);
    }

    /** Whether the fields fill the bytes exactly. Allocates nothing. */
    boolean fits(byte[] b, int from, int to) {
        int at = from;
        for (Field field : fields) {
            at = field.kind.end(b, at, to);
            if (at < 0) {
                return false;
            }
        }
        return at == to;
    }

    /** Appends {@code name=value} words, one space between them. */
    void text(byte[] b, int from, int to, StringBuilder out) {
        int at = from;
        boolean first = true;
        for (Field field : fields) {
            int end = field.kind.end(b, at, to);
            if (!field.kind.leftOut(b, at)) {
                out.append(first ? "" : " ").append(field.name).append('=');
                field.kind.text(b, at, end, out);
                first = false;
            }
            at = end;
        }
    }

    /** Appends the bytes of the words that {@link #text} wrote. */
    void parse(NlriTokens in, ByteSink out) {
        for (Field field : fields) {
            if (field.kind == FieldKind.OPTIONAL_ADDRESS && !in.has(field.name)) {
                out.u8(0);
            } else {
                field.kind.parse(in.value(field.name), out);
            }
        }
    }

    /** Whether every field is in the key. */
    boolean isWholeKey() {
        for (Field field : fields) {
            if (!field.inKey) {
                return false;
            }
        }
        return true;
    }

    void key(byte[] b, int from, int to, ByteSink out) {
        int at = from;
        for (Field field : fields) {
            int end = field.kind.end(b, at, to);
            if (field.inKey) {
                field.kind.key(b, at, end, out);
            }
            at = end;
        }
    }
}
