package dev.silkroute.net;

import java.util.List;

/**
 * Writes JSON of our own small documents; values come in the order they are put. U+0000 is left out of texts, and
 * U+FFFD stands for half a surrogate pair: PostgreSQL's {@code jsonb} can't hold them, and where routers send such, the
 * bytes are there beside the text. Not thread-safe.
 */
public final class JsonText {
    private static final char NO_CHARACTER = '\uFFFD';

    private final StringBuilder out = new StringBuilder(256);
    private boolean comma;

    public JsonText begin() {
        return open('{');
    }

    public JsonText end() {
        return close('}');
    }

    public JsonText beginArray() {
        return open('[');
    }

    public JsonText endArray() {
        return close(']');
    }

    public JsonText name(String name) {
        separate();
        quote(name);
        out.append(':');
        comma = false;
        return this;
    }

    public JsonText value(String value) {
        separate();
        quote(value);
        return this;
    }

    public JsonText value(long value) {
        separate();
        out.append(value);
        return this;
    }

    public JsonText value(boolean value) {
        separate();
        out.append(value);
        return this;
    }

    public JsonText field(String name, String value) {
        return name(name).value(value);
    }

    public JsonText field(String name, long value) {
        return name(name).value(value);
    }

    public JsonText field(String name, boolean value) {
        return name(name).value(value);
    }

    public JsonText field(String name, List<String> values) {
        name(name).beginArray();
        for (String one : values) {
            value(one);
        }
        return endArray();
    }

    /** A value that is JSON already. */
    public JsonText json(String json) {
        separate();
        out.append(json);
        return this;
    }

    @Override
    public String toString() {
        return out.toString();
    }

    private JsonText open(char bracket) {
        separate();
        out.append(bracket);
        comma = false;
        return this;
    }

    private JsonText close(char bracket) {
        out.append(bracket);
        comma = true;
        return this;
    }

    private void separate() {
        if (comma) {
            out.append(',');
        }
        comma = true;
    }

    private void quote(String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c == 0) {
                continue;
            } else if (Character.isSurrogate(c) && !paired(text, i)) {
                out.append(NO_CHARACTER);
            } else if (c < 0x20) {
                out.append("\\u").append(String.format("%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }

    private static boolean paired(String text, int i) {
        return Character.isHighSurrogate(text.charAt(i))
                ? i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))
                : i > 0 && Character.isHighSurrogate(text.charAt(i - 1));
    }
}
