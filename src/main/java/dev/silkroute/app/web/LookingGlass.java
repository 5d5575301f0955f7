package dev.silkroute.app.web;

import dev.silkroute.app.config.Role;
import dev.silkroute.app.config.StationConfig;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Serves the looking glass at {@code /} of a station with the role api: one page and its assets, from the class path
 * folder {@code looking-glass}. The assets' path contains a digest of all files, so that browsers keep them and a new
 * version replaces them together; the page itself is revalidated at each visit.
 */
@Singleton
class LookingGlass {
    static final String FOLDER = "looking-glass";
    static final String PAGE = "index.html";

    /** The assets. A class path folder inside a jar cannot be listed. */
    static final List<String> ASSETS = List.of(
            "alerts.js",
            "api.js",
            "app.js",
            "asnames.js",
            "attributes.js",
            "best.js",
            "bgp.js",
            "changes.js",
            "communitynames.js",
            "compare.js",
            "dissect.js",
            "dom.js",
            "favicon.svg",
            "format.js",
            "graph.js",
            "history.js",
            "labels.js",
            "live.js",
            "location.js",
            "nlri.js",
            "peers.js",
            "quarantine.js",
            "reader.js",
            "routers.js",
            "routes.js",
            "search.js",
            "style.css",
            "table.js",
            "uplot.css",
            "uplot.js");

    private static final Map<String, String> CONTENT_TYPES = Map.of(
            ".html", "text/html;charset=utf-8",
            ".js", "text/javascript;charset=utf-8",
            ".css", "text/css;charset=utf-8",
            ".svg", "image/svg+xml");
    private static final String PLACEHOLDER = "@assets@";
    private static final int DIGEST_LENGTH = 16;
    private static final int NOT_MODIFIED = 304;

    /** Nothing from elsewhere, nothing inline, no frames; and no HTML from strings, not even by mistake. */
    private static final String CONTENT_SECURITY_POLICY = "default-src 'none'; script-src 'self'; style-src 'self';"
            + " img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none';"
            + " require-trusted-types-for 'script'; trusted-types 'none'";

    private final boolean enabled;

    @Inject
    LookingGlass(StationConfig config) {
        enabled = config.roles().has(Role.API);
    }

    void register(@Observes Router main) throws IOException {
        if (!enabled) {
            return;
        }
        var assets = new TreeMap<String, byte[]>();
        for (var name : ASSETS) {
            assets.put(name, read(name));
        }
        var page = read(PAGE);
        var digest = digest(assets, page);
        var folder = "/assets/" + digest + "/";
        // Relative, for a proxy that serves the station under another path.
        var html = Buffer.buffer(new String(page, StandardCharsets.UTF_8)
                .replace(PLACEHOLDER, folder.substring(1, folder.length() - 1)));
        get(main, "/", context -> sendPage(context, html, '"' + digest + '"'));
        assets.forEach((name, bytes) -> {
            var content = Buffer.buffer(bytes);
            get(main, folder + name, context -> sendAsset(context, name, content));
        });
    }

    private static void get(Router router, String path, Handler<RoutingContext> handler) {
        router.route(path).method(HttpMethod.GET).method(HttpMethod.HEAD).handler(handler);
    }

    private static void sendPage(RoutingContext context, Buffer html, String tag) {
        var response = prepare(context, PAGE)
                .putHeader("Content-Security-Policy", CONTENT_SECURITY_POLICY)
                .putHeader("Cross-Origin-Opener-Policy", "same-origin")
                .putHeader(HttpHeaders.CACHE_CONTROL, "no-cache")
                .putHeader(HttpHeaders.ETAG, tag);
        if (tag.equals(context.request().getHeader(HttpHeaders.IF_NONE_MATCH))) {
            response.setStatusCode(NOT_MODIFIED).end();
        } else {
            response.end(html);
        }
    }

    private static void sendAsset(RoutingContext context, String name, Buffer content) {
        prepare(context, name)
                .putHeader(HttpHeaders.CACHE_CONTROL, "public, max-age=31536000, immutable")
                .end(content);
    }

    private static HttpServerResponse prepare(RoutingContext context, String name) {
        var response = context.response();
        // Quarkus has set the encoding "identity", which prevents compression.
        response.headers().remove(HttpHeaders.CONTENT_ENCODING);
        return response.putHeader(HttpHeaders.CONTENT_TYPE, CONTENT_TYPES.get(name.substring(name.lastIndexOf('.'))))
                .putHeader(HttpHeaders.VARY, HttpHeaders.ACCEPT_ENCODING)
                .putHeader("X-Content-Type-Options", "nosniff")
                .putHeader("Referrer-Policy", "no-referrer");
    }

    private static String digest(Map<String, byte[]> assets, byte[] page) {
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            assets.forEach((name, bytes) -> {
                digest.update(name.getBytes(StandardCharsets.UTF_8));
                digest.update(bytes);
            });
            return HexFormat.of().formatHex(digest.digest(page)).substring(0, DIGEST_LENGTH);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static byte[] read(String name) throws IOException {
        try (var file = LookingGlass.class.getResourceAsStream("/" + FOLDER + "/" + name)) {
            if (file == null) {
                throw new FileNotFoundException(FOLDER + "/" + name);
            }
            return file.readAllBytes();
        }
    }
}
