package dev.silkroute.app.alert;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import dev.silkroute.net.Json;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The formats in which an endpoint receives the changes of alerts. {@code docs/how-to/alerts.md} describes them. */
enum WebhookFormat {
    /**
     * An array with one alert, as API v2 of Alertmanager takes it. All changes are sent, because Alertmanager itself
     * decides what to notify of. The labels are the same for all changes of an alert and when it opens again.
     */
    ALERTMANAGER {
        @Override
        boolean sends(JsonNode record) {
            return true;
        }

        @Override
        void write(JsonNode record, Context context, JsonGenerator json) throws IOException {
            json.writeStartArray();
            json.writeStartObject();
            json.writeObjectFieldStart("labels");
            json.writeStringField("alertname", field(record, "rule"));
            json.writeStringField("alert_key", field(record, "key"));
            for (String field : SUBJECT) {
                writePresent(record, field, json);
            }
            json.writeEndObject();
            json.writeObjectFieldStart("annotations");
            json.writeStringField("summary", field(record, "condition"));
            writePresent(record, "description", json);
            writePresent(record, "vantage_points", json);
            json.writeStringField(
                    "suppressed_by",
                    record.path("suppressed_by")
                            .valueStream()
                            .map(JsonNode::asText)
                            .collect(Collectors.joining("; ")));
            json.writeStringField("alert_id", field(record, "id"));
            json.writeEndObject();
            json.writeStringField("startsAt", field(record, "opened_at"));
            json.writeStringField(
                    "endsAt",
                    isClosed(record)
                            ? field(record, "changed_at")
                            : context.now().plus(context.keptOpen()).toString());
            Optional<String> link = link(record, context);
            if (link.isPresent()) {
                json.writeStringField("generatorURL", link.get());
            }
            json.writeEndObject();
            json.writeEndArray();
        }
    },

    /** A text, as incoming webhooks of Slack and Mattermost take it. */
    SLACK {
        @Override
        boolean sends(JsonNode record) {
            return record.path("notify").asBoolean();
        }

        @Override
        void write(JsonNode record, Context context, JsonGenerator json) throws IOException {
            String head =
                    "*" + field(record, "rule") + "* " + field(record, "event") + ": " + field(record, "condition");
            String details = Stream.of(field(record, "description"), "since " + field(record, "opened_at"))
                    .filter(text -> !text.isEmpty())
                    .collect(Collectors.joining(", "));
            String lines = escaped(head) + "\n" + escaped(details);
            json.writeStartObject();
            json.writeStringField(
                    "text",
                    link(record, context)
                            .map(url -> lines + "\n" + escaped(url))
                            .orElse(lines));
            json.writeEndObject();
        }
    };

    /** The fields that identify what an alert is about, and who is notified. */
    private static final List<String> SUBJECT =
            List.of("prefix", "router", "peer_address", "rib_view", "family", "monitored_prefix", "group");

    /**
     * The time and the settings that a request depends on.
     *
     * @param keptOpen how long Alertmanager keeps an alert open that is not sent again
     * @param stationUrl empty without links
     */
    record Context(Instant now, Duration keptOpen, Optional<String> stationUrl) {}

    /**
     * Returns a format.
     *
     * @throws IllegalArgumentException if there is none with this name
     */
    static WebhookFormat of(String name) {
        return Arrays.stream(values())
                .filter(format -> format.name().toLowerCase(Locale.ROOT).equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("'" + name + "' is not alertmanager or slack"));
    }

    /** Returns whether endpoints of this format receive a record of {@code bmp.alerts}. */
    abstract boolean sends(JsonNode record);

    abstract void write(JsonNode record, Context context, JsonGenerator json) throws IOException;

    /** Returns the body of the request for a record of {@code bmp.alerts}. */
    byte[] body(JsonNode record, Context context) {
        return Json.utf8(json -> write(record, context, json));
    }

    private static boolean isClosed(JsonNode record) {
        return field(record, "event").equals("closed");
    }

    private static String field(JsonNode record, String name) {
        return record.path(name).asText();
    }

    private static void writePresent(JsonNode record, String field, JsonGenerator json) throws IOException {
        if (!field(record, field).isEmpty()) {
            json.writeStringField(field, field(record, field));
        }
    }

    private static Optional<String> link(JsonNode record, Context context) {
        return context.stationUrl()
                .map(url -> url + "/api/v1/alerts?state=all&rule=" + encoded(record, "rule")
                        + (record.has("prefix") ? "&prefix=" + encoded(record, "prefix") : ""));
    }

    private static String encoded(JsonNode record, String field) {
        return URLEncoder.encode(field(record, field), StandardCharsets.UTF_8);
    }

    /** Escapes the three characters that Slack reserves. */
    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
