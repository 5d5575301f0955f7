package dev.silkroute.app.http;

import dev.silkroute.app.config.Host;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.net.URI;
import java.net.URISyntaxException;

/**
 * The origin of a request, according to the browser that sent it. A page of another site must not use the console
 * with the rights of this machine's user, neither by a request across sites nor by a name that resolves to the loopback
 * address (DNS rebinding).
 */
public final class RequestOrigin {
    private RequestOrigin() {}

    /** Returns whether the request is addressed to the loopback address by number or by the name localhost. */
    public static boolean addressesLoopback(HttpServerRequest request) {
        var authority = request.authority();
        return authority != null && Host.isLoopback(authority.host());
    }

    /** Returns whether the request comes from a page of the same origin, or not from a page. */
    public static boolean isOwn(HttpServerRequest request) {
        var origin = request.getHeader(HttpHeaders.ORIGIN);
        if (origin == null) {
            return true;
        }
        var authority = request.authority();
        try {
            return authority != null && authority.toString().equals(new URI(origin).getRawAuthority());
        } catch (URISyntaxException e) {
            return false; // "null" and anything else that is no origin of ours
        }
    }
}
