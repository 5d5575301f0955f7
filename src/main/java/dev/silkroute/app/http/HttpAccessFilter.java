package dev.silkroute.app.http;

import dev.silkroute.app.config.SecretFile;
import dev.silkroute.app.config.StationConfig;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.quarkus.oidc.AccessTokenCredential;
import io.quarkus.oidc.TenantIdentityProvider;
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
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Applies {@link HttpAccess} to every request on the HTTP port, before anything else handles it. */
@ApplicationScoped
class HttpAccessFilter {
    /** Above Quarkus's own filters. */
    private static final int PRIORITY = 1_000;

    private static final Logger LOGGER = Logger.getLogger(HttpAccessFilter.class);

    private final HttpAccess access;
    private final @Nullable TenantIdentityProvider provider;

    @Inject
    HttpAccessFilter(
            StationConfig config,
            @ConfigProperty(name = HttpToken.REQUIRED) Optional<Path> tokenFile,
            TenantIdentityProvider provider) {
        this(
                new HttpAccess(
                        list(config.http().allowedHosts()),
                        list(config.http().allowedOrigins()),
                        tokenFile
                                .map(file -> SecretFile.read(HttpToken.FILE, file))
                                .orElse(null)),
                config.http().oidc().issuer().isPresent() ? provider : null);
    }

    /** @param provider verifies the access tokens of an OpenID Connect provider; null if there is none */
    HttpAccessFilter(HttpAccess access, @Nullable TenantIdentityProvider provider) {
        this.access = access;
        this.provider = provider;
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
        var token = rejection.isForToken() ? HttpAccess.bearerToken(context.request()) : null;
        if (token == null || provider == null) {
            reject(context, rejection);
            return;
        }
        // The keys of the provider may have to be loaded first.
        var thread = context.vertx().getOrCreateContext();
        provider.authenticate(new AccessTokenCredential(token))
                .subscribe()
                .with(_ -> thread.runOnContext(_ -> context.next()), failure -> {
                    LOGGER.debug("Access token rejected", failure);
                    thread.runOnContext(_ -> reject(context, rejection));
                });
    }

    private static void reject(RoutingContext context, HttpAccess.Rejection rejection) {
        var response = context.response()
                .setStatusCode(rejection.status())
                .putHeader(HttpHeaders.CONTENT_TYPE, "application/problem+json");
        if (rejection.isForToken()) {
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
