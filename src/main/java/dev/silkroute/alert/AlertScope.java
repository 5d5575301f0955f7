package dev.silkroute.alert;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import dev.silkroute.net.IpPrefix;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The part of an alert that is taken from the entry of the rules.
 *
 * @param monitored the prefix of the entry; null without one
 * @param group the group that is notified
 */
record AlertScope(@Nullable IpPrefix monitored, String description, String group) {
    private static final AlertScope NONE = new AlertScope(null, "", "default");

    /** Returns that of a prefix; of a monitored AS without an entry. */
    static AlertScope of(@Nullable MonitoredPrefix entry) {
        return entry == null ? NONE : new AlertScope(entry.prefix(), entry.description(), entry.group());
    }

    static AlertScope of(MonitoredRouter entry) {
        return new AlertScope(null, entry.description(), entry.group());
    }

    static AlertScope of(MonitoredTable entry) {
        return new AlertScope(null, entry.description(), entry.group());
    }

    static AlertScope of(MonitoredQuarantine entry) {
        return new AlertScope(null, entry.description(), entry.group());
    }

    static AlertScope read(JsonNode json) {
        return new AlertScope(
                json.has("monitored_prefix")
                        ? IpPrefix.parse(json.path("monitored_prefix").asText())
                        : null,
                json.path("description").asText(),
                json.path("group").asText());
    }

    void write(JsonGenerator json) throws IOException {
        if (monitored != null) {
            json.writeStringField("monitored_prefix", monitored.toString());
        }
        json.writeStringField("description", description);
        json.writeStringField("group", group);
    }
}
