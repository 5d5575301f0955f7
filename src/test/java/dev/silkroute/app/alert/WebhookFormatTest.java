package dev.silkroute.app.alert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.silkroute.app.config.OperatorError;
import dev.silkroute.app.config.StationConfig;
import dev.silkroute.app.config.UsageError;
import dev.silkroute.endtoend.CaptureFiles;
import dev.silkroute.fixture.MarkdownPage;
import dev.silkroute.fixture.TestConfig;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The requests are those that the guide shows; settings that are not valid end the start. */
class WebhookFormatTest {
    private static final MarkdownPage PAGE = new MarkdownPage(Path.of("docs/how-to/alerts.md"));
    private static final WebhookFormat.Context CONTEXT = new WebhookFormat.Context(
            Instant.parse("2026-11-25T10:12:00.25Z"), Duration.ofHours(4), Optional.of("https://bmp.example.net"));
    private static final JsonNode OPENED = CaptureFiles.parse("""
            {"event": "opened", "id": "0c8b1a45fd6a3b21", "key": "192.0.2.0/24 origin-change AS64666",
             "rule": "origin-change", "prefix": "192.0.2.0/24", "monitored_prefix": "192.0.2.0/24",
             "description": "Customer A", "group": "default",
             "condition": "192.0.2.0/24 has origin AS64666, expected AS64500", "threshold": 2, "notify": true,
             "opened_at": "2026-11-25T10:12:00.000001Z", "notified_at": "2026-11-25T10:12:00.000001Z",
             "changed_at": "2026-11-25T10:12:00.000001Z", "vantage_points": 2, "evidence": [],
             "suppressed_by": ["asn of 192.0.2.0/24 contains AS64666", "ignore of 192.0.2.0/24"]}""");

    @Test
    void requestsAreThoseOfTheGuide() {
        List<String> shown = PAGE.blocks().stream()
                .filter(block -> block.language().equals("json"))
                .map(MarkdownPage.Block::text)
                .toList();
        assertThat(body(WebhookFormat.ALERTMANAGER, OPENED)).isEqualTo(CaptureFiles.parse(shown.get(0)));
        assertThat(body(WebhookFormat.SLACK, OPENED)).isEqualTo(CaptureFiles.parse(shown.get(1)));
    }

    @Test
    void closedAlertEndsWhenItHasClosed() {
        JsonNode closed = CaptureFiles.parse(OPENED.toString()
                .replace("\"opened\"", "\"closed\"")
                .replace(
                        "\"changed_at\":\"2026-11-25T10:12:00.000001Z\"",
                        "\"changed_at\":\"2026-11-25T11:00:00.000000Z\""));
        JsonNode alert = body(WebhookFormat.ALERTMANAGER, closed).get(0);
        assertThat(alert.path("endsAt").asText()).isEqualTo("2026-11-25T11:00:00.000000Z");
        assertThat(alert.path("labels"))
                .isEqualTo(body(WebhookFormat.ALERTMANAGER, OPENED).get(0).path("labels"));
    }

    @Test
    void slackReceivesWhatNotifiesAndReservedCharactersAreEscaped() {
        JsonNode silent = CaptureFiles.parse(OPENED.toString()
                .replace("\"notify\":true", "\"notify\":false")
                .replace("Customer A", "<!channel> A & B"));
        assertThat(WebhookFormat.SLACK.sends(OPENED)).isTrue();
        assertThat(WebhookFormat.SLACK.sends(silent)).isFalse();
        assertThat(WebhookFormat.ALERTMANAGER.sends(silent)).isTrue();
        assertThat(body(WebhookFormat.SLACK, silent).path("text").asText()).contains("&lt;!channel&gt; A &amp; B");
    }

    private static JsonNode body(WebhookFormat format, JsonNode record) {
        return CaptureFiles.parse(new String(format.body(record, CONTEXT), StandardCharsets.UTF_8));
    }

    @Test
    void settingsAreChecked() {
        assertThat(WebhookSettings.of(TestConfig.of())).isEmpty();
        assertThat(WebhookSettings.of(config()).orElseThrow().host()).isEqualTo("http://192.0.2.1:9093");
        assertInvalid("silkroute.alerts.webhook.url must be a URL", "url", "ftp://192.0.2.1/");
        assertInvalid("silkroute.alerts.webhook.url must be a URL", "url", "http://user@192.0.2.1/");
        assertInvalid("silkroute.alerts.webhook.format: 'teams' is not alertmanager or slack", "format", "teams");
        assertInvalid("silkroute.alerts.webhook.token-file: cannot read /missing", "token-file", "/missing");
        assertThatThrownBy(() -> WebhookSettings.of(TestConfig.of("silkroute.alerts.webhook.url", "http://192.0.2.1/")))
                .isInstanceOf(UsageError.class)
                .hasMessage("silkroute.alerts.webhook.url requires silkroute.routes.alerts.enabled");
    }

    private static void assertInvalid(String message, String key, String value) {
        assertThatThrownBy(() -> WebhookSettings.of(config("silkroute.alerts.webhook." + key, value)))
                .isInstanceOf(OperatorError.class)
                .hasMessageStartingWith(message)
                .hasMessageNotContaining("user@");
    }

    private static StationConfig config(String... more) {
        List<Object> all = new java.util.ArrayList<>(List.of(
                "silkroute.routes.alerts.enabled",
                true,
                "silkroute.alerts.webhook.url",
                "http://192.0.2.1:9093/api/v2/alerts"));
        all.addAll(List.of(more));
        return TestConfig.of(all.toArray());
    }
}
