package dev.silkroute.app.mock;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

import dev.silkroute.app.config.OperatorError;
import dev.silkroute.app.config.UsageError;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.util.concurrent.Future;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLException;
import org.apache.camel.component.netty.DefaultChannelHandlerFactory;
import org.jspecify.annotations.Nullable;

/**
 * TLS on the connections to a station: creates a handler for each, which verifies that the station's certificate is
 * trusted and issued for the host that was given. camel-netty's own option {@code ssl} cannot verify the host, because
 * it does not pass it on to the TLS engine. Thread-safe.
 */
final class StationTls extends DefaultChannelHandlerFactory {
    /** The longest time in milliseconds that the end of all connections waits for that of the station. */
    private static final long CLOSE_MILLIS = 5_000;

    private final StationAddress station;
    private final SslContext context;
    private final Set<Connection> open = ConcurrentHashMap.newKeySet();
    private final AtomicReference<@Nullable Throwable> rejection = new AtomicReference<>();
    private final AtomicInteger rejections = new AtomicInteger();

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
        Connection connection = new Connection();
        open.add(connection);
        connection.sslCloseFuture().addListener(closed -> open.remove(connection));
        return connection;
    }

    /**
     * Ends TLS on all open connections and waits until the station has done the same, for a limited time. With TLS 1.3
     * a client may send before the station has verified its certificate, so only then it is known whether the station
     * has accepted the connection. No further connections may be opened meanwhile.
     */
    void end() {
        List<Connection> all = List.copyOf(open);
        List<ChannelFuture> ends = all.stream().map(Connection::closeOutbound).toList();
        long deadline = System.nanoTime() + MILLISECONDS.toNanos(CLOSE_MILLIS);
        for (int i = 0; i < all.size(); i++) {
            Future<?> answer = all.get(i).sslCloseFuture();
            answer.awaitUninterruptibly(Math.max(0, deadline - System.nanoTime()), NANOSECONDS);
            Throwable cause = ends.get(i).cause();
            if (cause != null && !answer.isSuccess()) {
                all.get(i).rejected(cause); // lost before it was ended
            }
        }
    }

    /** Returns how many connections the station has rejected, or closed before they were ended. */
    int rejections() {
        return rejections.get();
    }

    /** Returns why the station has rejected the first of these connections, null if it has rejected none. */
    @Nullable
    Throwable rejection() {
        return rejection.get();
    }

    void forgetRejections() {
        rejection.set(null);
        rejections.set(0);
    }

    /** A connection that records why TLS has failed. */
    private final class Connection extends SslHandler {
        private final AtomicBoolean isRejected = new AtomicBoolean();

        Connection() {
            super(context.newEngine(ByteBufAllocator.DEFAULT, station.host(), station.port()));
        }

        void rejected(Throwable cause) {
            if (!isRejected.getAndSet(true)) {
                rejection.compareAndSet(null, cause);
                rejections.incrementAndGet();
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable thrown) throws Exception {
            Throwable cause = RootCause.of(thrown);
            if (RootCause.isTls(cause)) {
                rejected(cause);
            }
            super.exceptionCaught(ctx, thrown);
        }
    }
}
