package dev.silkroute.app.mock;

import dev.silkroute.app.config.OperatorError;
import dev.silkroute.app.config.UsageError;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelHandler;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.net.ssl.SSLException;
import org.apache.camel.component.netty.DefaultChannelHandlerFactory;
import org.jspecify.annotations.Nullable;

/**
 * TLS on the connections to a station: creates a handler for each, which verifies that the station's certificate is
 * trusted and issued for the host that was given. camel-netty's own option {@code ssl} cannot verify the host, because
 * it does not pass it on to the TLS engine. Thread-safe.
 */
final class StationTls extends DefaultChannelHandlerFactory {
    /**
     * The longest time in milliseconds that a close waits for that of the station. A station that is still verifying
     * the certificate when TCP is closed would discard everything that it has received.
     */
    private static final long CLOSE_MILLIS = 5_000;

    private final StationAddress station;
    private final SslContext context;

    /**
     * Reads PEM files.
     *
     * @param authorities those that may have signed the station's certificate; null for those of the Java runtime
     * @param certificate the certificate chain to present, null for none
     * @param key the private key of the certificate, null if there is none
     * @throws UsageError if a file cannot be read or is invalid
     */
    StationTls(StationAddress station, @Nullable Path authorities, @Nullable Path certificate, @Nullable Path key) {
        this.station = station;
        SslContextBuilder builder = SslContextBuilder.forClient()
                .sslProvider(SslProvider.JDK)
                .protocols("TLSv1.3", "TLSv1.2")
                .endpointIdentificationAlgorithm("HTTPS");
        if (authorities != null) {
            InputStream trusted = read("--tls-ca", authorities);
            load("--tls-ca " + authorities + " contains no valid certificate", () -> builder.trustManager(trusted));
        }
        if (certificate != null && key != null) {
            InputStream chain = read("--tls-certificate", certificate);
            InputStream own = read("--tls-key", key);
            load(
                    "--tls-certificate " + certificate + " is not a certificate, or --tls-key " + key
                            + " is not a private key without password (PKCS #8)",
                    () -> builder.keyManager(chain, own));
        }
        try {
            context = builder.build();
        } catch (SSLException e) {
            throw new UsageError("--tls: " + OperatorError.reason(e), e);
        }
    }

    private static InputStream read(String option, Path file) {
        try {
            return new ByteArrayInputStream(Files.readAllBytes(file));
        } catch (IOException e) {
            throw new UsageError(option + " " + file + " cannot be read: " + OperatorError.reason(e), e);
        }
    }

    private static void load(String failure, Runnable load) {
        try {
            load.run();
        } catch (IllegalArgumentException e) {
            throw new UsageError(failure, e);
        }
    }

    @Override
    public ChannelHandler newChannelHandler() {
        SslHandler handler = context.newHandler(ByteBufAllocator.DEFAULT, station.host(), station.port());
        handler.setCloseNotifyReadTimeoutMillis(CLOSE_MILLIS);
        return handler;
    }
}
