package dev.silkroute.app.ask;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.silkroute.app.config.OperatorError;
import dev.silkroute.app.config.UsageError;
import dev.silkroute.app.http.StationTrust;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A client of the REST API of a running station, which a command locates by its data directory or its URL. */
final class StationApi {
    static final Duration TIMEOUT = Duration.ofSeconds(15);
    private static final int HTTP_OK = 200;
    private static final int HTTP_BAD_REQUEST = 400;

    private final ObjectMapper mapper = new ObjectMapper();

    @Mixin
    StationLocation station = new StationLocation();

    @Option(
            names = "--url",
            paramLabel = "URL",
            description = "URL of the station, such as http://192.0.2.1:8080, used instead of --data-dir")
    @Nullable
    String url;

    /**
     * Sends a GET request and returns the JSON of the response.
     *
     * @param path the path with its query, such as {@code /api/v1/status}
     * @throws OperatorError if the station is unreachable or responds with an error
     */
    JsonNode get(String path) {
        return get(path, TIMEOUT);
    }

    /**
     * Sends a GET request and returns the JSON of the response.
     *
     * @param timeout how long the station may take
     * @throws UsageError if the station rejects an argument
     * @throws OperatorError if the station is unreachable or responds with another error
     */
    JsonNode get(String path, Duration timeout) {
        String address = station.httpUrl(url);
        // The JVM waits 0.3 seconds before it exits if a thread of the client still waits for the network.
        try (var client = client(address)) {
            return mapper.readTree(
                    send(client, address, path, timeout, HttpResponse.BodyHandlers.ofString(), text -> text));
        } catch (JsonProcessingException e) {
            throw new OperatorError("the server at " + address + " is not a station: its response is not JSON", e);
        }
    }

    /**
     * Sends a GET request and returns the response as it arrives.
     *
     * @throws OperatorError if the station is unreachable or responds with an error
     */
    @SuppressWarnings("resource") // closing the client would wait for the end of the stream
    BufferedReader stream(String path) {
        var address = station.httpUrl(url);
        return send(
                client(address),
                address,
                path,
                null,
                _ -> HttpResponse.BodySubscribers.mapping(
                        HttpResponse.BodySubscribers.ofInputStream(),
                        body -> new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8))),
                body -> body.lines().collect(Collectors.joining("\n")));
    }

    private HttpClient client(String address) {
        var client = HttpClient.newBuilder().connectTimeout(TIMEOUT);
        var certificate = address.startsWith("https:") ? station.httpCertificate(url) : null;
        if (certificate != null) {
            client.sslContext(StationTrust.context(certificate));
        }
        return client.build();
    }

    /** Returns the body of a successful response; {@code text} reads that of another one. */
    private <T> T send(
            HttpClient client,
            String address,
            String path,
            @Nullable Duration timeout,
            HttpResponse.BodyHandler<T> handler,
            Function<T, String> text) {
        try {
            var request = HttpRequest.newBuilder(URI.create(address + path));
            if (timeout != null) {
                request.timeout(timeout);
            }
            var token = station.httpToken(url);
            if (token != null) {
                request.header("Authorization", "Bearer " + token);
            }
            var response = client.send(request.build(), handler);
            if (response.statusCode() == HTTP_BAD_REQUEST) {
                throw new UsageError(detail(text.apply(response.body())));
            }
            if (response.statusCode() != HTTP_OK) {
                throw new OperatorError("the station responded with status " + response.statusCode() + " to " + address
                        + path + ": " + detail(text.apply(response.body())));
            }
            return response.body();
        } catch (IOException e) {
            throw new OperatorError("cannot reach a station at " + address + ": " + OperatorError.reason(e), e);
        } catch (IllegalArgumentException e) {
            throw new UsageError("'" + address + "' is not a URL of a station: use --url http://HOST:PORT", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new OperatorError("interrupted", e);
        }
    }

    /** Returns the detail of an RFC 9457 problem, or the whole body if it is something else. */
    private String detail(String body) {
        try {
            return mapper.readTree(body).path("detail").asText(body);
        } catch (JsonProcessingException e) {
            return body;
        }
    }
}
