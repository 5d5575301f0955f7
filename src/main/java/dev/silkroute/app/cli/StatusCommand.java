package dev.silkroute.app.cli;

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
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code silkroute status}: how a running station is. */
@Command(
        name = "status",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Shows sessions, routers, peers and lanes of a running station.")
public final class StatusCommand implements Callable<Integer> {
    private static final Duration LIMIT = Duration.ofSeconds(15);

    /** How the status is written. */
    enum Format {
        table,
        json
    }

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "table",
            description = "table or json (${DEFAULT-VALUE})")
    Format format = Format.table;

    @Mixin
    StationLocation station = new StationLocation();

    @Option(
            names = "--url",
            paramLabel = "URL",
            description = "The station itself, instead of --data-dir: http://HOST:PORT")
    @Nullable
    String url;

    @Override
    public Integer call() {
        var body = get((url == null ? station.httpUrl() : url) + "/api/v1/status");
        try {
            var mapper = new ObjectMapper();
            JsonNode status = mapper.readTree(body);
            System.out.print(
                    format == Format.json
                            ? mapper.writerWithDefaultPrettyPrinter().writeValueAsString(status) + "\n"
                            : StatusText.of(status));
            return 0;
        } catch (JsonProcessingException e) {
            throw new OperatorError("what answers there is no station: its answer is no JSON", e);
        }
    }

    private static String get(String address) {
        try (var client = HttpClient.newBuilder().connectTimeout(LIMIT).build()) {
            var request =
                    HttpRequest.newBuilder(URI.create(address)).timeout(LIMIT).build();
            var answer = client.send(request, HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() != 200) {
                throw new OperatorError(
                        "the station answers " + answer.statusCode() + " to " + address + ": " + answer.body());
            }
            return answer.body();
        } catch (IOException e) {
            throw new OperatorError("no station answers at " + address + ": " + OperatorError.reason(e), e);
        } catch (IllegalArgumentException e) {
            throw new OperatorError("'" + address + "' is not a URL of a station: --url http://HOST:PORT", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new OperatorError("interrupted", e);
        }
    }
}
