package dev.silkroute.app.management;

import dev.silkroute.app.http.RequestOrigin;
import io.quarkus.security.identity.SecurityIdentity;
import io.quarkus.vertx.http.ManagementInterface;
import io.quarkus.vertx.http.runtime.security.QuarkusHttpUser;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.Json;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import io.vertx.ext.web.handler.StaticHandler;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import java.util.HashMap;
import java.util.Map;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jolokia.json.JSONStructure;
import org.jolokia.server.core.request.BadRequestException;
import org.jolokia.server.core.request.EmptyResponseException;

/**
 * Serves the Hawtio console and JMX over HTTP on the management interface. The console's files are in the class path
 * folder {@code hawtio-console}; they are unpacked by the build and are not served on the main port.
 */
@ApplicationScoped
class ManagementConsole {
    private static final String FILES = "hawtio-console";
    private static final String ROOT = "/hawtio";
    private static final String JOLOKIA = ROOT + "/jolokia";
    private static final long MAX_REQUEST = 1 << 20;
    private static final int FORBIDDEN = 403;
    private static final int BAD_REQUEST = 400;
    private static final int NO_CONTENT = 204;

    /** The requests of the console when it starts, and the responses of a server without plugins or a login page. */
    private static final Map<String, String> START_UP = Map.of(
            "/plugin", "[]",
            "/preset-connections", "[]",
            "/keycloak/enabled", "false",
            "/proxy/enabled", "false",
            "/auth/config/oidc", "{}",
            "/auth/config/session-timeout", "{}");

    private final JolokiaAgent agent;
    private final ConsoleAccess access;

    @Inject
    ManagementConsole(JolokiaAgent agent, @ConfigProperty(name = ConsoleAccess.PROPERTY) ConsoleAccess access) {
        this.agent = agent;
        this.access = access;
    }

    void register(@Observes ManagementInterface management) {
        if (access == ConsoleAccess.OFF) {
            return;
        }
        var router = management.router();
        router.route(ROOT + "*").handler(this::admit);
        router.getWithRegex(ROOT).handler(context -> context.redirect(ROOT + "/"));
        router.get(ROOT + "/user")
                .handler(context -> json(context, Json.encode(user(context).name())));
        START_UP.forEach((path, answer) -> router.get(ROOT + path).handler(context -> json(context, answer)));
        jolokia(router);
        router.get(ROOT + "/*").handler(StaticHandler.create(FILES));
        // The console's pages have paths of their own, which its script interprets.
        router.get(ROOT + "/*").handler(context -> context.reroute(ROOT + "/index.html"));
    }

    private void jolokia(Router router) {
        router.get(JOLOKIA + "*").blockingHandler(this::get, false);
        router.post(JOLOKIA + "*")
                .handler(BodyHandler.create(false).setBodyLimit(MAX_REQUEST))
                .blockingHandler(this::post, false);
    }

    private void admit(RoutingContext context) {
        var request = context.request();
        if (isTrusted(request)) {
            context.response()
                    .putHeader("X-Content-Type-Options", "nosniff")
                    .putHeader("X-Frame-Options", "DENY")
                    .putHeader("Referrer-Policy", "same-origin");
            context.next();
        } else {
            context.fail(FORBIDDEN);
        }
    }

    /** Returns whether a request is from the console's own page and, without a login, addressed to this machine. */
    private boolean isTrusted(HttpServerRequest request) {
        if (access == ConsoleAccess.LOCAL && !RequestOrigin.addressesLoopback(request)) {
            return false;
        }
        return RequestOrigin.isOwn(request);
    }

    private ConsoleUser user(RoutingContext context) {
        if (access == ConsoleAccess.LOCAL) {
            return ConsoleUser.LOCAL;
        }
        SecurityIdentity identity = ((QuarkusHttpUser) context.user()).getSecurityIdentity();
        var role = identity.hasRole(ConsoleRole.OPERATOR.text()) ? ConsoleRole.OPERATOR : ConsoleRole.VIEWER;
        return new ConsoleUser(identity.getPrincipal().getName(), role);
    }

    private void get(RoutingContext context) {
        var request = context.request();
        var path = context.normalizedPath().substring(JOLOKIA.length());
        respond(context, () -> agent.get(user(context), request.uri(), path, parameters(request)));
    }

    private void post(RoutingContext context) {
        var request = context.request();
        var body = context.body().buffer();
        respond(
                context,
                () -> agent.post(
                        user(context),
                        request.uri(),
                        body == null ? new byte[0] : body.getBytes(),
                        parameters(request)));
    }

    private static Map<String, String[]> parameters(HttpServerRequest request) {
        var parameters = new HashMap<String, String[]>();
        request.params()
                .names()
                .forEach(name ->
                        parameters.put(name, request.params().getAll(name).toArray(new String[0])));
        return parameters;
    }

    /** A request to the agent. */
    @FunctionalInterface
    private interface Call {
        JSONStructure execute() throws EmptyResponseException;
    }

    private void respond(RoutingContext context, Call call) {
        try {
            json(context, call.execute().toJSONString());
        } catch (EmptyResponseException e) {
            context.response().setStatusCode(NO_CONTENT).end();
        } catch (BadRequestException e) {
            context.response().setStatusCode(BAD_REQUEST);
            json(context, agent.error(e).toJSONString());
        } catch (RuntimeException e) {
            json(context, agent.error(e).toJSONString());
        }
    }

    private static void json(RoutingContext context, String text) {
        context.response()
                .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
                .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
                .end(text);
    }
}
