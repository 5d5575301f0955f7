package dev.silkroute.app.web.read;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The position of a row in a {@link Listing} as opaque text: its key, a JSON array of strings, in base64url. */
final class Cursor {
    private static final ObjectMapper JSON = new ObjectMapper();

    private Cursor() {}

    static String encode(String key) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(key.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the parts of the key; null for no cursor. */
    static @Nullable List<@Nullable String> decode(@Nullable String cursor, int parts) {
        if (cursor == null) {
            return null;
        }
        try {
            var key = JSON.readValue(Base64.getUrlDecoder().decode(cursor), String[].class);
            if (key != null && key.length == parts) {
                return Arrays.asList(key);
            }
        } catch (IllegalArgumentException | IOException e) {
            // Reported below.
        }
        throw invalid();
    }

    static RuntimeException invalid() {
        return Parameters.invalid("cursor", "must be the value of next in the answer to the same request");
    }
}
