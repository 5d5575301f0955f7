package dev.silkroute.app.http;

import dev.silkroute.app.config.SecretFile;
import dev.silkroute.app.config.StationConfig;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Applies {@link HttpAccess} to every request on the HTTP port, before anything else handles it. */
@ApplicationScoped
class HttpAccessFilter {
    /** Above Quarkus's own filters. */
    private static final int PRIORITY = 1_000;

    private static final int UNAUTHORIZED = 401;

    private final HttpAccess access;

    @Inject
    HttpAccessFilter(StationConfig config, @ConfigProperty(name = HttpToken.REQUIRED) Optional<Path> tokenFile) {
        this(new HttpAccess(
                list(config.http().allowedHosts()),
                list(config.http().allowedOrigins()),
                tokenFile.map(file -> SecretFile.read(HttpToken.FILE, file)).orElse(null)));
    }

    HttpAccessFilter(HttpAccess access) {
        this.access = access;
    }

    private static List<String> list(Optional<String> value) {
        return Stream.of(value.orElse("").split(","))
                .map(String::strip)
                .filter(entry -> !entry.isEmpty())
                .toList();
    }

    void register(@Observes Filters filters) {
        filters.register(this::handle, PRIORITY);
    }

    void handle(RoutingContext context) {
        var rejection = access.check(context.request());
        if (rejection == null) {
            context.next();
            return;
        }
        var response = context.response()
                .setStatusCode(rejection.status())
                .putHeader(HttpHeaders.CONTENT_TYPE, "application/problem+json");
        if (rejection.status() == UNAUTHORIZED) {
            response.putHeader(HttpHeaderNames.WWW_AUTHENTICATE, "Bearer realm=\"silkroute\"");
        }
        response.end(new JsonObject()
                .put("type", "about:blank")
                .put("title", HttpResponseStatus.valueOf(rejection.status()).reasonPhrase())
                .put("status", rejection.status())
                .put("detail", rejection.detail())
                .put("instance", context.request().path())
                .toBuffer());
    }
}
