package dev.silkroute.app.http;

import io.netty.handler.codec.compression.Brotli;
import io.netty.handler.codec.compression.StandardCompressionOptions;
import io.quarkus.vertx.http.HttpServerOptionsCustomizer;
import io.vertx.core.http.HttpServerOptions;
import jakarta.inject.Singleton;
import org.jboss.logging.Logger;

/**
 * Adds Brotli to the encodings of responses. Quarkus's own setting for it would fail the start where Brotli's native
 * library cannot be loaded.
 */
@Singleton
final class HttpCompression implements HttpServerOptionsCustomizer {
    private static final Logger LOGGER = Logger.getLogger(HttpCompression.class);

    @Override
    public void customizeHttpServer(HttpServerOptions options) {
        addBrotli(options);
    }

    @Override
    public void customizeHttpsServer(HttpServerOptions options) {
        addBrotli(options);
    }

    private static void addBrotli(HttpServerOptions options) {
        if (Brotli.isAvailable()) {
            options.addCompressor(StandardCompressionOptions.brotli());
        } else {
            LOGGER.warnf(
                    "Brotli is unavailable, responses are compressed with gzip only: %s",
                    Brotli.cause().getMessage());
        }
    }
}
