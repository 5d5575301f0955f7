package dev.silkroute.app.alert;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.silkroute.app.config.OperatorError;
import dev.silkroute.app.config.StationConfig;
import dev.silkroute.component.MeterGroup;
import dev.silkroute.component.Metric;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.arc.Unremovable;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.camel.Exchange;
import org.apache.camel.Message;
import org.apache.camel.component.kafka.KafkaConstants;
import org.apache.camel.spi.Metadata;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The bean {@code alertWebhook} of routes: sends changes of alerts to an HTTP endpoint, one request each, in their
 * order. A request that fails is repeated a bounded number of times; then the change counts as failed, and the next one
 * is sent. For one thread.
 */
@Singleton
@Named("alertWebhook")
@Metadata(
        description =
                "Sends changes of alerts to silkroute.alerts.webhook.url: its method send takes records of bmp.alerts")
@Unremovable
public final class AlertWebhook {
    private static final Logger LOGGER = Logger.getLogger(AlertWebhook.class);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration MAX_DELAY = Duration.ofMinutes(1);
    private static final long MAX_RESPONSE_BYTES = 64 << 10;
    /** The part of a response that an error contains. */
    private static final int MAX_REASON = 200;

    private static final int OK = 200;
    private static final int REDIRECT = 300;

    private final @Nullable WebhookSettings settings;
    private final Counter delivered;
    private final Counter failed;
    private final Counter outdated;
    private final Counter retries;
    private @Nullable HttpClient client;

    @Inject
    AlertWebhook(StationConfig config, MeterRegistry meters) {
        this(WebhookSettings.of(config).orElse(null), meters);
    }

    /** @param settings null if there is no endpoint */
    AlertWebhook(@Nullable WebhookSettings settings, MeterRegistry meters) {
        this.settings = settings;
        delivered = MeterGroup.counter(meters, Metric.ALERTS_WEBHOOK, "outcome", "delivered");
        failed = MeterGroup.counter(meters, Metric.ALERTS_WEBHOOK, "outcome", "failed");
        outdated = MeterGroup.counter(meters, Metric.ALERTS_WEBHOOK, "outcome", "outdated");
        retries = MeterGroup.counter(meters, Metric.ALERTS_WEBHOOK_RETRIES);
    }

    /**
     * Sends the records of an exchange, a list of exchanges or one record.
     *
     * @throws InterruptedException if the route stops; the records have not been sent, or only some of them
     */
    public void send(Exchange exchange) throws InterruptedException {
        if (exchange.getMessage().getBody() instanceof List<?> records) {
            for (Object record : records) {
                send(((Exchange) record).getMessage());
            }
        } else {
            send(exchange.getMessage());
        }
    }

    private void send(Message message) throws InterruptedException {
        WebhookSettings to = settings;
        if (to == null) {
            throw new IllegalStateException("alertWebhook requires silkroute.alerts.webhook.url");
        }
        byte[] value = message.getBody(byte[].class);
        if (value == null) {
            return; // a record without a value contains no alert
        }
        JsonNode record;
        try {
            record = JSON.readTree(value);
        } catch (IOException e) {
            failed.increment();
            LOGGER.warnf("Skipped a record of bmp.alerts that is not JSON: %s", OperatorError.reason(e));
            return;
        }
        if (!to.format().sends(record)) {
            return;
        }
        Long reported = message.getHeader(KafkaConstants.TIMESTAMP, Long.class);
        if (reported != null
                && Instant.ofEpochMilli(reported).isBefore(Instant.now().minus(to.maxAge()))) {
            outdated.increment();
            LOGGER.infof(
                    "Alert %s, %s: not sent to the webhook, because it was reported at %s, more than"
                            + " silkroute.alerts.webhook.max-age ago",
                    record.path("key").asText(), record.path("event").asText(), Instant.ofEpochMilli(reported));
            return;
        }
        deliver(record, to);
    }

    private void deliver(JsonNode record, WebhookSettings to) throws InterruptedException {
        Duration delay = to.retryDelay();
        for (int attempt = 0; ; attempt++) {
            Optional<String> failure = post(record, to);
            if (failure.isEmpty()) {
                delivered.increment();
                return;
            }
            if (attempt == to.retries()) {
                failed.increment();
                LOGGER.warnf(
                        "Alert %s, %s: not delivered to the webhook at %s in %d requests, the last of which failed: %s",
                        record.path("key").asText(),
                        record.path("event").asText(),
                        to.host(),
                        attempt + 1,
                        failure.get());
                return;
            }
            Thread.sleep(delay);
            delay = delay.multipliedBy(2);
            if (delay.compareTo(MAX_DELAY) > 0) {
                delay = MAX_DELAY;
            }
            retries.increment();
        }
    }

    /** Returns why a request failed; empty if the endpoint has accepted it. */
    private Optional<String> post(JsonNode record, WebhookSettings to) throws InterruptedException {
        CompletableFuture<HttpResponse<String>> response = null;
        try {
            response = client(to)
                    .sendAsync(request(record, to), BodyHandlers.limiting(BodyHandlers.ofString(), MAX_RESPONSE_BYTES));
            return reason(response.get(to.timeout().toNanos(), TimeUnit.NANOSECONDS));
        } catch (TimeoutException e) {
            return Optional.of("no complete response within " + to.timeout().toMillis() + " ms");
        } catch (ExecutionException | OperatorError e) {
            return Optional.of(OperatorError.reason(e));
        } finally {
            if (response != null) {
                response.cancel(true); // without effect if it is complete
            }
        }
    }

    private HttpClient client(WebhookSettings to) {
        HttpClient created = client;
        if (created == null) {
            // Redirections are not followed: the token is for this endpoint only
            created = HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .connectTimeout(to.timeout())
                    .followRedirects(HttpClient.Redirect.NEVER)
                    .build();
            client = created;
        }
        return created;
    }

    private static HttpRequest request(JsonNode record, WebhookSettings to) {
        var context = new WebhookFormat.Context(Instant.now(), to.keptOpen(), to.stationUrl());
        HttpRequest.Builder request = HttpRequest.newBuilder(to.url())
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofByteArray(to.format().body(record, context)));
        to.token().ifPresent(token -> request.header("Authorization", "Bearer " + token));
        return request.build();
    }

    private static Optional<String> reason(HttpResponse<String> response) {
        if (response.statusCode() >= OK && response.statusCode() < REDIRECT) {
            return Optional.empty();
        }
        String body = response.body().strip().replaceAll("\\s+", " ");
        String begun = body.substring(0, Math.min(body.length(), MAX_REASON));
        return Optional.of("HTTP " + response.statusCode() + (begun.isEmpty() ? "" : ": " + begun));
    }
}
