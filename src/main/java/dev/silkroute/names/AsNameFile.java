package dev.silkroute.names;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads names of autonomous systems, in the forms in which public lists contain them:
 *
 * <ul>
 *   <li>lines with an AS number, such as {@code 64500} or {@code AS64500}, a tab, a comma or blanks, and the name.
 *       After a tab or a comma, the name ends at the next one, unless it is quoted as in CSV; after blanks, at the end
 *       of the line. Lines that begin with {@code #} are comments, and the first line may be a header.
 *   <li>JSON: an object of names by AS number, or an array of objects with {@code asn} and {@code name} (without it,
 *       {@code description} or {@code handle}). The array may be the member {@code data} of an object.
 * </ul>
 *
 * <p>Names are cut after {@value #MAX_NAME} characters and lose control characters. Of several names, the last one
 * counts.
 */
public final class AsNameFile {
    /** Four times the number of AS numbers that the registries had assigned in 2026. */
    public static final int MAX_NAMES = 500_000;

    private static final int MAX_BYTES = 64 << 20;
    private static final int MAX_NAME = 128;
    private static final JsonFactory JSON = new JsonFactory();
    private static final Pattern LINE =
            Pattern.compile("(?:AS)?(\\d{1,10})(?:\\t|,|\\s+)(.*)", Pattern.CASE_INSENSITIVE);
    private static final Pattern ASN = Pattern.compile("(?:AS)?(\\d{1,10})", Pattern.CASE_INSENSITIVE);
    private static final Pattern QUOTED = Pattern.compile("\\s*\"((?:[^\"]|\"\")*)\".*");

    private final Map<Long, String> names = new HashMap<>();

    private AsNameFile() {}

    /**
     * Reads a file; its first character distinguishes JSON from lines.
     *
     * @throws IOException if the file cannot be read, exceeds a bound or is not valid; the message names the file and
     *     the line
     */
    public static AsNames read(Path file) throws IOException {
        var found = new AsNameFile();
        try (BufferedReader reader = NameFiles.open(file, MAX_BYTES)) {
            reader.mark(1);
            int first = reader.read();
            reader.reset();
            if (first == '{' || first == '[') {
                found.readJson(reader);
            } else {
                found.readLines(reader);
            }
        } catch (JacksonException e) {
            throw new IOException(
                    file + ", line " + e.getLocation().getLineNr() + ": invalid JSON: " + e.getOriginalMessage(), e);
        } catch (IllegalArgumentException e) {
            throw new IOException(file + ", " + e.getMessage(), e);
        }
        return new AsNames(found.names);
    }

    private void readLines(BufferedReader reader) throws IOException {
        int number = 1;
        for (String line = reader.readLine(); line != null; line = reader.readLine(), number++) {
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            var entry = LINE.matcher(line.strip());
            if (entry.matches()) {
                add(entry.group(1), name(line.strip().charAt(entry.end(1)), entry.group(2)), number);
            } else if (number > 1) {
                throw new IllegalArgumentException("line " + number + ": there is no AS number with a name");
            }
        }
    }

    private static String name(char separator, String rest) {
        if (separator != '\t' && separator != ',') {
            return rest;
        }
        var quoted = QUOTED.matcher(rest);
        if (quoted.matches()) {
            return quoted.group(1).replace("\"\"", "\"");
        }
        int end = rest.indexOf(separator);
        return end < 0 ? rest : rest.substring(0, end);
    }

    private void readJson(BufferedReader reader) throws IOException {
        try (JsonParser json = JSON.createParser(reader)) {
            if (json.nextToken() == JsonToken.START_ARRAY) {
                readArray(json);
                return;
            }
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                var field = json.currentName();
                var value = json.nextToken();
                if (field.equals("data") && value == JsonToken.START_ARRAY) {
                    readArray(json);
                } else if (value == JsonToken.VALUE_STRING) {
                    add(field, json.getText(), json.currentLocation().getLineNr());
                } else {
                    json.skipChildren();
                }
            }
        }
    }

    private void readArray(JsonParser json) throws IOException {
        while (json.nextToken() == JsonToken.START_OBJECT) {
            Map<String, String> entry = new HashMap<>();
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                var field = json.currentName();
                if (json.nextToken().isScalarValue()) {
                    entry.put(field, json.getValueAsString(""));
                } else {
                    json.skipChildren();
                }
            }
            int line = json.currentLocation().getLineNr();
            var name = first(entry, "name", "description", "handle");
            if (name != null) {
                add(entry.getOrDefault("asn", ""), name, line);
            }
        }
    }

    private static @Nullable String first(Map<String, String> entry, String... fields) {
        for (var field : fields) {
            var value = entry.get(field);
            if (value != null && !value.isEmpty()) {
                return value;
            }
        }
        return null;
    }

    private void add(String asn, String name, int line) {
        var digits = ASN.matcher(asn);
        long number = digits.matches() ? Long.parseLong(digits.group(1)) : -1;
        if (number < 0 || number > 0xFFFF_FFFFL) {
            throw new IllegalArgumentException("line " + line + ": '" + asn + "' is not a valid AS number");
        }
        var text = NameFiles.printable(name, MAX_NAME).strip();
        if (!text.isEmpty()) {
            names.put(number, text);
        }
        if (names.size() > MAX_NAMES) {
            throw new IllegalArgumentException("line " + line + ": there are more than " + MAX_NAMES + " names");
        }
    }
}
