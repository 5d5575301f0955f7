package dev.silkroute.app.http;

import io.quarkus.vertx.http.HttpServerOptionsCustomizer;
import io.vertx.core.http.HttpServerOptions;
import jakarta.inject.Singleton;

/**
 * Restricts HTTP/2 to TLS. Only few clients ask for an upgrade without TLS, the JDK's among them, and such a connection
 * has once lost the framing in the middle of a large response. They use HTTP/1.1 instead.
 */
@Singleton
final class HttpVersions implements HttpServerOptionsCustomizer {
    @Override
    public void customizeHttpServer(HttpServerOptions options) {
        options.setHttp2ClearTextEnabled(false);
    }
}
