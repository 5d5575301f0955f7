package dev.silkroute.app.http;

import dev.silkroute.app.config.Host;
import inet.ipaddr.IPAddressString;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The rules by which the HTTP port accepts a request. Immutable.
 *
 * <p>A page of another site may resolve its own name to the address of the station (DNS rebinding), and then its
 * requests are of the same origin for the browser. Therefore a request must be addressed to an IP address, to localhost
 * or to a configured name, none of which such a page can have.
 *
 * @param hosts accepted host names in lower case; {@code *.example.net} for all names below one, {@code *} for all
 * @param origins accepted origins besides the station's own, such as {@code https://example.net}
 * @param token the bearer token that requests must have, null if they need none
 */
record HttpAccess(
        List<String> hosts, List<String> origins, @Nullable String token) {
    private static final String LOCALHOST = "localhost";
    private static final String ANY = "*";
    private static final String BEARER = "bearer ";
    private static final int UNAUTHORIZED = 401;

    /**
     * Paths that need no token: health, because probes have none, and the looking glass's page, which asks for it. They
     * are compared as they were sent, so that none of them can be normalized to another path.
     */
    private static final Pattern PUBLIC =
            Pattern.compile("/|/q/health(/[a-z]+)?|/assets/[0-9a-f]+/[a-z]+\\.(js|css|svg)");

    HttpAccess {
        hosts = hosts.stream().map(host -> host.toLowerCase(Locale.ROOT)).toList();
        origins = List.copyOf(origins);
    }

    /** The status and the detail of a response to a rejected request. */
    record Rejection(int status, String detail) {
        /** Returns whether another token than the station's own could be sufficient. */
        boolean isForToken() {
            return status == UNAUTHORIZED;
        }
    }

    /** Returns why a request is rejected, null if it is accepted. */
    @Nullable
    Rejection check(HttpServerRequest request) {
        var authority = request.authority();
        if (authority == null || !isOwn(authority.host())) {
            return new Rejection(
                    403,
                    "This is not a name of the station: use its IP address, or list the name in"
                            + " silkroute.http.allowed-hosts");
        }
        if (!RequestOrigin.isOwn(request) && !origins.contains(request.getHeader(HttpHeaders.ORIGIN))) {
            return new Rejection(
                    403, "Pages of other origins are rejected, unless silkroute.http.allowed-origins contains them");
        }
        if (token != null && !isPublic(request.path()) && !hasToken(request, token)) {
            return new Rejection(
                    UNAUTHORIZED, "The header Authorization must contain a bearer token that the station accepts");
        }
        return null;
    }

    private boolean isOwn(String host) {
        var name = Host.bare(host).toLowerCase(Locale.ROOT);
        return name.equals(LOCALHOST)
                || new IPAddressString(name).isIPAddress()
                || hosts.stream().anyMatch(pattern -> matches(pattern, name));
    }

    private static boolean matches(String pattern, String name) {
        return pattern.equals(ANY)
                || pattern.equals(name)
                || (pattern.startsWith("*.") && name.endsWith(pattern.substring(1)));
    }

    private static boolean isPublic(@Nullable String path) {
        return path != null && PUBLIC.matcher(path).matches();
    }

    /** Compares in constant time. */
    private static boolean hasToken(HttpServerRequest request, String token) {
        var given = bearerToken(request);
        return given != null
                && MessageDigest.isEqual(
                        given.getBytes(StandardCharsets.UTF_8), token.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the bearer token of a request (RFC 6750), null if it has none. */
    static @Nullable String bearerToken(HttpServerRequest request) {
        var header = request.getHeader(HttpHeaders.AUTHORIZATION);
        return header != null && header.regionMatches(true, 0, BEARER, 0, BEARER.length())
                ? header.substring(BEARER.length()).strip()
                : null;
    }
}
