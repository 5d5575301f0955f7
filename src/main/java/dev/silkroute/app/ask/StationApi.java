package dev.silkroute.app.ask;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.silkroute.app.config.OperatorError;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The REST API of a running station, for commands that ask it: that of a data directory, or at a URL. What goes wrong is an error of use. */
final class StationApi {
    private static final Duration LIMIT = Duration.ofSeconds(15);
    private static final int OK = 200;

    private final ObjectMapper mapper = new ObjectMapper();

    @Mixin
    StationLocation station = new StationLocation();

    @Option(
            names = "--url",
            paramLabel = "URL",
            description = "The station itself, instead of --data-dir: http://HOST:PORT")
    @Nullable
    String url;

    /** @param path with its query, such as {@code /api/v1/status} */
    JsonNode get(String path) {
        String address = station.httpUrl(url) + path;
        try (var client = HttpClient.newBuilder().connectTimeout(LIMIT).build()) {
            var request =
                    HttpRequest.newBuilder(URI.create(address)).timeout(LIMIT).build();
            var answer = client.send(request, HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() != OK) {
                throw new OperatorError(
                        "the station answers " + answer.statusCode() + " to " + address + ": " + reason(answer.body()));
            }
            return mapper.readTree(answer.body());
        } catch (JsonProcessingException e) {
            throw new OperatorError("what answers at " + address + " is no station: its answer is no JSON", e);
        } catch (IOException e) {
            throw new OperatorError("no station answers at " + address + ": " + OperatorError.reason(e), e);
        } catch (IllegalArgumentException e) {
            throw new OperatorError("'" + address + "' is not a URL of a station: --url http://HOST:PORT", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new OperatorError("interrupted", e);
        }
    }

    /** The detail of problem details (RFC 9457); what is none, as it is. */
    private String reason(String body) {
        try {
            return mapper.readTree(body).path("detail").asText(body);
        } catch (JsonProcessingException e) {
            return body;
        }
    }
}
