package dev.silkroute.app.console;

import dev.silkroute.net.JsonText;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** PostgreSQL's texts as JSON. */
final class SqlJson {
    private static final Pattern NUMBER = Pattern.compile("-?\\d+(\\.\\d+)?([eE][+-]?\\d+)?");
    private static final Pattern TIME =
            Pattern.compile("(\\d{4,}-\\d\\d-\\d\\d) (\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?)(?:\\+00)?");

    private SqlJson() {}

    /** A value of a type, {@code int8}, {@code jsonb}, {@code timestamptz}…, as PostgreSQL writes it. */
    static String value(@Nullable String text, String type) {
        if (text == null) {
            return "null";
        }
        return switch (type) {
            case "int2", "int4", "int8", "numeric", "float4", "float8", "oid", "serial", "bigserial" ->
                // NaN and Infinity are no JSON numbers
                NUMBER.matcher(text).matches() ? text : string(text);
            case "bool" -> text.startsWith("t") ? "true" : "false";
            case "json", "jsonb" -> text;
            case "timestamptz" -> string(TIME.matcher(text).replaceFirst("$1T$2Z"));
            case "timestamp" -> string(TIME.matcher(text).replaceFirst("$1T$2"));
            default -> string(text);
        };
    }

    static String string(String text) {
        return new JsonText().value(text).toString();
    }
}
