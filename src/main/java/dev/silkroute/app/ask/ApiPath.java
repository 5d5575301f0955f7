package dev.silkroute.app.ask;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** A path of the REST API with its query parameters. */
final class ApiPath {
    private final StringBuilder text;

    /** All fields that an answer has by default, and the RPKI validity at the time that the answer is about. */
    static final String WITH_VALIDITY = "*,rpki_validity";

    /** @param path below {@code /api/v1}, such as {@code routes} */
    ApiPath(String path) {
        text = new StringBuilder("/api/v1/").append(path);
    }

    /** Adds a parameter unless its value is null. */
    ApiPath with(String name, @Nullable Object value) {
        if (value != null) {
            text.append(text.indexOf("?") < 0 ? '?' : '&').append(name).append('=');
            text.append(URLEncoder.encode(value.toString(), StandardCharsets.UTF_8));
        }
        return this;
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
