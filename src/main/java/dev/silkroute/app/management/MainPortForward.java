package dev.silkroute.app.management;

import dev.silkroute.app.config.Host;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Answers {@code /q/health} and {@code /q/metrics} on the main port too while it is on a loopback address, by asking
 * the management interface. Elsewhere they are for those who can connect to the management port alone.
 */
@ApplicationScoped
class MainPortForward {
    private static final int BAD_GATEWAY = 502;

    private final HttpClient client;
    private final boolean local;
    private final String host;
    private final int port;

    @Inject
    MainPortForward(
            Vertx vertx,
            @ConfigProperty(name = "quarkus.http.host") String mainHost,
            @ConfigProperty(name = "quarkus.management.host") String host,
            @ConfigProperty(name = "quarkus.management.port") int port) {
        client = vertx.createHttpClient();
        local = Host.isLoopback(mainHost);
        this.host = host;
        this.port = port;
    }

    void register(@Observes Router main) {
        if (local) {
            main.get("/q/health*").handler(this::forward);
            main.get("/q/metrics*").handler(this::forward);
        }
    }

    private void forward(RoutingContext context) {
        client.request(HttpMethod.GET, port, reachable(host), context.request().uri())
                .map(request -> accept(request, context))
                .compose(HttpClientRequest::send)
                .compose(response -> copy(response, context))
                .onFailure(failure -> context.fail(BAD_GATEWAY, failure));
    }

    /** An address of this machine for one to listen on, which may be all addresses. */
    private static String reachable(String host) {
        return switch (Host.bare(host)) {
            case "0.0.0.0" -> "127.0.0.1";
            case "::" -> "::1";
            default -> Host.bare(host);
        };
    }

    /** The format of metrics depends on what the client accepts. */
    private static HttpClientRequest accept(HttpClientRequest request, RoutingContext context) {
        var accept = context.request().getHeader(HttpHeaders.ACCEPT);
        return accept == null ? request : request.putHeader(HttpHeaders.ACCEPT, accept);
    }

    private static Future<Void> copy(HttpClientResponse response, RoutingContext context) {
        return response.body()
                .compose(body -> context.response()
                        .setStatusCode(response.statusCode())
                        .putHeader(HttpHeaders.CONTENT_TYPE, response.getHeader(HttpHeaders.CONTENT_TYPE))
                        .end(body));
    }
}
