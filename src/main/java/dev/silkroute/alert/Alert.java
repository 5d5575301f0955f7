package dev.silkroute.alert;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import dev.silkroute.alert.record.AlertEvent;
import dev.silkroute.alert.record.AlertRule;
import dev.silkroute.alert.record.AlertSubject;
import dev.silkroute.alert.record.Evidence;
import dev.silkroute.net.Hex;
import dev.silkroute.net.Json;
import dev.silkroute.net.Timestamps;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;

/**
 * An open alert, or the last state of one that has been closed. {@code docs/how-to/alerts.md} describes its JSON.
 *
 * @param key identifies the alert while it is open: subject, rule and what else distinguishes it
 * @param condition a sentence
 * @param threshold the number of vantage points that it takes
 * @param evidence one event for each vantage point, or for each message that could not be decoded
 * @param suppressedBy the settings with which there would be no alert
 * @param openedAt in microseconds since 1970, as all times
 * @param notifiedAt the newest notification
 */
record Alert(
        String key,
        AlertRule rule,
        AlertSubject subject,
        AlertScope scope,
        String condition,
        int threshold,
        List<Evidence> evidence,
        List<String> suppressedBy,
        long openedAt,
        long notifiedAt) {

    /** The rows of evidence in a record, unless the threshold is larger. */
    private static final int MAX_ROWS = 100;

    private static final int ID_BYTES = 8;

    Alert notified(long at) {
        return with(evidence, at);
    }

    Alert with(List<Evidence> newEvidence, long newNotifiedAt) {
        return new Alert(
                key, rule, subject, scope, condition, threshold, newEvidence, suppressedBy, openedAt, newNotifiedAt);
    }

    /** Returns the same ID for the same key and time, whichever station has opened the alert. */
    String id() {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256")
                    .digest((key + " " + openedAt).getBytes(StandardCharsets.UTF_8));
            return Hex.of(hash, 0, ID_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JDK has SHA-256
        }
    }

    /** Returns the record of a change. */
    byte[] json(AlertEvent event, long at, boolean notify) {
        return Json.utf8(json -> {
            json.writeStartObject();
            json.writeStringField("event", event.text());
            json.writeStringField("id", id());
            json.writeStringField("key", key);
            json.writeStringField("rule", rule.text());
            subject.write(json);
            scope.write(json);
            json.writeStringField("condition", condition);
            json.writeNumberField("threshold", threshold);
            json.writeBooleanField("notify", notify);
            json.writeStringField("opened_at", Timestamps.text(openedAt));
            json.writeStringField("notified_at", Timestamps.text(notifiedAt));
            json.writeStringField("changed_at", Timestamps.text(at));
            json.writeNumberField(
                    "vantage_points",
                    evidence.stream().map(Evidence::vantagePoint).distinct().count());
            evidence(json);
            Json.strings("suppressed_by", suppressedBy, json);
            json.writeEndObject();
        });
    }

    private void evidence(JsonGenerator json) throws IOException {
        json.writeArrayFieldStart("evidence");
        for (Evidence row : evidence.subList(0, Math.min(evidence.size(), Math.max(MAX_ROWS, threshold)))) {
            row.write(json);
        }
        json.writeEndArray();
    }

    /**
     * Returns the alert that a record contains.
     *
     * @throws IllegalArgumentException if a field is missing or not valid
     */
    static Alert read(JsonNode json) {
        AlertRule rule = AlertRule.of(text(json, "rule"))
                .orElseThrow(() -> new IllegalArgumentException("unknown rule " + json.path("rule")));
        List<Evidence> evidence = new ArrayList<>();
        for (JsonNode row : json.path("evidence")) {
            evidence.add(Evidence.read(row));
        }
        List<String> suppressedBy = new ArrayList<>();
        json.path("suppressed_by").forEach(text -> suppressedBy.add(text.asText()));
        return new Alert(
                text(json, "key"),
                rule,
                AlertSubject.read(json),
                AlertScope.read(json),
                text(json, "condition"),
                json.path("threshold").asInt(),
                evidence,
                suppressedBy,
                Evidence.micros(json, "opened_at"),
                Evidence.micros(json, "notified_at"));
    }

    private static String text(JsonNode json, String field) {
        return json.path(field).asText();
    }
}
