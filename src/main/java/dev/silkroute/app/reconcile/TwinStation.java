package dev.silkroute.app.reconcile;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.silkroute.app.config.OperatorError;
import dev.silkroute.digest.DigestKey;
import dev.silkroute.digest.RouteHasher;
import dev.silkroute.digest.TableName;
import dev.silkroute.digest.TableSelection;
import dev.silkroute.digest.TableSource;
import dev.silkroute.net.Family;
import dev.silkroute.net.Hex;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The RIB of the twin station, read by its REST API. Thread-safe. */
final class TwinStation implements TableSource {
    private static final int OK = 200;

    /** A table takes about 400 bytes without a sketch. */
    private static final long MAX_RESPONSE_BYTES = 256L << 20;

    /** The part of a response that is no problem details that an error contains. */
    private static final int MAX_DETAIL = 200;

    private final TwinSettings settings;
    private final HttpClient client;
    private final ObjectMapper mapper = new ObjectMapper();
    private final AtomicLong bytes;

    /** @param bytes is increased by the size of each request's query and of each response */
    TwinStation(TwinSettings settings, HttpClient client, AtomicLong bytes) {
        this.settings = settings;
        this.client = client;
        this.bytes = bytes;
    }

    /** Creates a client. Redirections are not followed: the token is for the twin only. */
    static HttpClient client(TwinSettings settings) {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(settings.timeout())
                .followRedirects(HttpClient.Redirect.NEVER)
                .build();
    }

    @Override
    public Digests digests(TableSelection selection, DigestKey key, int cells) throws IOException {
        return DigestJson.digests(get("/api/v1/rib/digest?key=" + key.text() + query(selection) + "&cells=" + cells));
    }

    @Override
    public Routes routes(TableName table, DigestKey key, Set<Long> keys) throws IOException {
        TableSelection selection = TableSelection.of(table, new RouteHasher(key));
        return DigestJson.routes(
                get("/api/v1/rib/digest/routes?key=" + key.text() + query(selection) + "&routes=" + hashes(keys)));
    }

    private static String query(TableSelection selection) {
        StringBuilder query = new StringBuilder();
        add(query, "router", selection.router());
        add(query, "peer", selection.peer());
        add(query, "view", selection.view() == null ? null : selection.view().text());
        add(query, "family", selection.family() == null ? null : Family.text(selection.family()));
        add(query, "table", selection.tables().isEmpty() ? null : hashes(selection.tables()));
        return query.toString();
    }

    private static String hashes(Set<Long> hashes) {
        return hashes.stream().map(Hex::of).collect(Collectors.joining(","));
    }

    private static void add(StringBuilder path, String name, @Nullable String value) {
        if (value != null) {
            path.append('&').append(name).append('=').append(URLEncoder.encode(value, StandardCharsets.UTF_8));
        }
    }

    private String get(String path) throws IOException {
        var request = HttpRequest.newBuilder(URI.create(settings.url() + path));
        settings.token().ifPresent(token -> request.header("Authorization", "Bearer " + token));
        var sent =
                client.sendAsync(request.build(), BodyHandlers.limiting(BodyHandlers.ofString(), MAX_RESPONSE_BYTES));
        try {
            var response = sent.get(settings.timeout().toNanos(), TimeUnit.NANOSECONDS);
            bytes.addAndGet(path.length() + response.body().length());
            if (response.statusCode() != OK) {
                throw failed("status " + response.statusCode() + ": " + detail(response.body()), null);
            }
            return response.body();
        } catch (TimeoutException e) {
            throw failed("no complete response within " + settings.timeout().toSeconds() + " s", e);
        } catch (ExecutionException e) {
            throw failed(OperatorError.reason(e), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failed("interrupted", e);
        } finally {
            sent.cancel(true); // without effect if it is complete
        }
    }

    private IOException failed(String reason, @Nullable Exception cause) {
        return new IOException("the twin at " + settings.url() + " failed: " + reason, cause);
    }

    /** Returns the detail of an RFC 9457 problem, or the beginning of another body. */
    private String detail(String body) {
        try {
            return mapper.readTree(body).path("detail").asText(body);
        } catch (JsonProcessingException e) {
            return body.substring(0, Math.min(body.length(), MAX_DETAIL));
        }
    }
}
