package dev.silkroute.app.live;

import dev.silkroute.app.config.Role;
import dev.silkroute.app.config.StationConfig;
import dev.silkroute.app.live.RisLiveConnection.RouterNames;
import dev.silkroute.live.LiveFilter;
import dev.silkroute.live.LiveStream;
import dev.silkroute.live.Subscriber;
import dev.silkroute.net.Json;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * {@code /api/v1/stream} (server-sent events) and {@code /api/v1/ws} (RIS Live on a WebSocket). Both are handlers of
 * Vert.x, because its streams report when a client does not read; {@code docs/reference/stream.md} describes them.
 */
@Singleton
final class LiveEndpoints {
    private static final int BAD_REQUEST = 400;
    private static final int FORBIDDEN = 403;
    private static final int UPGRADE_REQUIRED = 426;
    private static final int UNAVAILABLE = 503;
    /** Status codes of RFC 6455, Section 7.4.1. */
    private static final short UNSUPPORTED_DATA = 1003;

    private static final short MESSAGE_TOO_BIG = 1009;
    private static final String RETRY_SECONDS = "5";
    private static final Duration HEARTBEAT = Duration.ofSeconds(15);
    private static final Pattern EVENT_ID = Pattern.compile("([0-9a-f]{1,36})-(\\d{1,18})");
    private static final String MANY_FILTERS = "too many filters (silkroute.live.max-filters)";

    private static final String INCLUDE_RAW = "includeRaw";

    private static final String ROUTERS = "select router from bmp.v_routers order by router limit 10000";

    private final LiveStream stream;
    private final Vertx vertx;
    private final RouterNames routers;
    private final boolean enabled;
    private final Duration stallTimeout;
    private final Set<LiveConnection> connections = ConcurrentHashMap.newKeySet();

    @Inject
    LiveEndpoints(LiveStream stream, Vertx vertx, DataSource database, StationConfig config) {
        this.stream = stream;
        this.vertx = vertx;
        stallTimeout = config.live().stallTimeout();
        enabled = config.roles().has(Role.API);
        routers = () -> routers(database);
    }

    private static List<String> routers(DataSource database) throws java.sql.SQLException {
        List<String> names = new ArrayList<>();
        try (var connection = database.getConnection();
                var statement = connection.createStatement();
                var rows = statement.executeQuery(ROUTERS)) {
            while (rows.next()) {
                names.add(rows.getString(1));
            }
        }
        return names;
    }

    void register(@Observes Router main) {
        if (!enabled) {
            return;
        }
        main.get("/api/v1/stream").handler(this::stream);
        main.get("/api/v1/ws").handler(this::socket);
        main.get("/api/v1/ws/").handler(this::socket);
        vertx.setPeriodic(HEARTBEAT.toMillis(), _ -> {
            connections.removeIf(LiveConnection::isClosed);
            connections.forEach(connection -> connection.check(stallTimeout.toNanos()));
        });
    }

    private void stream(RoutingContext request) {
        List<LiveFilter> filters;
        Resume resume;
        boolean includesRaw;
        try {
            includesRaw = includesRaw(request.queryParams());
            filters = filters(request.queryParams());
            resume = Resume.of(request.request());
        } catch (IllegalArgumentException e) {
            problem(request, BAD_REQUEST, "Bad Request", String.valueOf(e.getMessage()));
            return;
        }
        HttpServerResponse response = request.response();
        SseConnection connection = new SseConnection(stream, vertx.getOrCreateContext(), response, includesRaw);
        response.closeHandler(_ -> closed(connection));
        response.exceptionHandler(_ -> {}); // a lost connection is closed
        connection
                .blocking(() -> subscribe(connection, filters, resume, includesRaw))
                .onComplete(subscribed -> {
                    if (subscribed.failed()) {
                        problem(
                                request,
                                BAD_REQUEST,
                                "Bad Request",
                                String.valueOf(subscribed.cause().getMessage()));
                        return;
                    }
                    Subscriber subscriber = subscribed.result();
                    if (subscriber == null) {
                        tooMany(request);
                        return;
                    }
                    if (!response.closed()) {
                        connections.add(connection);
                        LiveConnection.prepare(request.request());
                        response.setChunked(true)
                                .putHeader(HttpHeaders.CONTENT_TYPE, "text/event-stream")
                                .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
                                .putHeader("X-Accel-Buffering", "no");
                        response.write("retry: 2000\n\n");
                    }
                    connection.start(subscriber);
                });
    }

    /** Returns null if there are too many subscribers. */
    private @Nullable Subscriber subscribe(
            LiveConnection connection, List<LiveFilter> filters, @Nullable Resume resume, boolean includesRaw) {
        Subscriber subscriber = stream.subscribe(connection::wakeUp);
        if (subscriber == null) {
            return null;
        }
        subscriber.includeRaw(includesRaw);
        boolean added = resume == null
                ? stream.add(subscriber, filters)
                : stream.resume(subscriber, filters, resume.stream, resume.position);
        if (!added) {
            stream.leave(subscriber);
            throw new IllegalArgumentException(MANY_FILTERS);
        }
        return subscriber;
    }

    /** The position where a client resumes: the id of the last event that it has received. */
    private record Resume(String stream, long position) {
        static @Nullable Resume of(HttpServerRequest request) {
            String id = request.getHeader("Last-Event-ID");
            if (id == null || id.isBlank()) {
                return null;
            }
            Matcher form = EVENT_ID.matcher(id.strip());
            if (!form.matches()) {
                throw new IllegalArgumentException("'" + id + "' is not the id of an event of this stream");
            }
            return new Resume(form.group(1), Long.parseLong(form.group(2)));
        }
    }

    private static boolean includesRaw(MultiMap query) {
        String value = query.get(INCLUDE_RAW);
        if (value == null || value.equals("false")) {
            return false;
        }
        if (value.equals("true")) {
            return true;
        }
        throw new IllegalArgumentException(INCLUDE_RAW + " is true or false, not '" + value + "'");
    }

    /** Returns a filter for each prefix, or one without a prefix. */
    private static List<LiveFilter> filters(MultiMap query) {
        Map<String, String> conditions = new HashMap<>();
        for (String name : query.names()) {
            if (!name.equals("prefix") && query.getAll(name).size() > 1) {
                throw new IllegalArgumentException(name + " is given more than once");
            }
            if (!name.equals(INCLUDE_RAW)) {
                conditions.put(name, query.get(name));
            }
        }
        List<String> prefixes = query.getAll("prefix");
        if (prefixes.isEmpty()) {
            return List.of(LiveFilter.parse(conditions, false));
        }
        List<LiveFilter> filters = new ArrayList<>();
        for (String prefix : prefixes) {
            conditions.put("prefix", prefix);
            filters.add(LiveFilter.parse(conditions, false));
        }
        return filters;
    }

    private void socket(RoutingContext request) {
        HttpServerRequest upgrade = request.request();
        if (!"websocket".equalsIgnoreCase(upgrade.getHeader(HttpHeaders.UPGRADE))) {
            problem(request, UPGRADE_REQUIRED, "Upgrade Required", "This is a WebSocket; see docs/reference/stream.md");
            return;
        }
        if (!isOwnOrigin(upgrade)) {
            problem(request, FORBIDDEN, "Forbidden", "Pages of other sites may not connect");
            return;
        }
        Context context = vertx.getOrCreateContext();
        Pending pending = new Pending();
        upgrade.pause();
        context.<@Nullable Subscriber>executeBlocking(() -> stream.subscribe(pending::wakeUp))
                .onComplete(subscribed -> {
                    Subscriber subscriber = subscribed.result();
                    if (subscriber == null) {
                        tooMany(request);
                        return;
                    }
                    LiveConnection.prepare(upgrade);
                    Future<ServerWebSocket> upgraded = upgrade.toWebSocket();
                    upgraded.onFailure(_ -> context.executeBlocking(() -> {
                        stream.leave(subscriber);
                        return true;
                    }));
                    upgraded.onSuccess(socket -> {
                        RisLiveConnection connection = new RisLiveConnection(stream, context, socket, routers);
                        pending.connection = connection;
                        if (!socket.isClosed()) {
                            connections.add(connection);
                            listen(socket, connection);
                        }
                        connection.start(subscriber);
                    });
                });
    }

    private void listen(ServerWebSocket socket, LiveConnection connection) {
        socket.closeHandler(_ -> closed(connection));
        socket.exceptionHandler(failure -> {
            if (failure instanceof IllegalStateException) { // others close the connection
                socket.close(MESSAGE_TOO_BIG, "the message is too large");
            }
        });
        socket.binaryMessageHandler(_ -> socket.close(UNSUPPORTED_DATA, "messages must be text"));
    }

    /** A connection that is being upgraded. Its subscriber has no filters yet, so nothing is lost. */
    private static final class Pending {
        private volatile @Nullable LiveConnection connection;

        void wakeUp() {
            LiveConnection upgraded = connection;
            if (upgraded != null) {
                upgraded.wakeUp();
            }
        }
    }

    private void closed(LiveConnection connection) {
        connections.remove(connection);
        connection.onClosed();
    }

    /**
     * Returns whether a request comes from a page of this station, or not from a page: browsers send pages' origins.
     */
    private static boolean isOwnOrigin(HttpServerRequest request) {
        String origin = request.getHeader(HttpHeaders.ORIGIN);
        try {
            return origin == null
                    || request.authority() != null
                            && request.authority().toString().equals(new URI(origin).getRawAuthority());
        } catch (URISyntaxException e) {
            return false;
        }
    }

    private static void tooMany(RoutingContext request) {
        request.response().putHeader(HttpHeaders.RETRY_AFTER, RETRY_SECONDS);
        problem(
                request,
                UNAVAILABLE,
                "Service Unavailable",
                "Too many subscribers; retry later (silkroute.live.max-subscribers)");
    }

    private static void problem(RoutingContext request, int status, String title, String detail) {
        String problem = Json.string(json -> {
            json.writeStartObject();
            json.writeStringField("type", "about:blank");
            json.writeStringField("title", title);
            json.writeNumberField("status", status);
            json.writeStringField("detail", detail);
            json.writeStringField("instance", request.request().path());
            json.writeEndObject();
        });
        request.response()
                .setStatusCode(status)
                .putHeader(HttpHeaders.CONTENT_TYPE, "application/problem+json")
                .end(problem);
    }
}
