package dev.silkroute.app.collector;

import dev.silkroute.app.config.BmpTls;
import dev.silkroute.app.config.CollectorConfig;
import dev.silkroute.app.config.StationConfig;
import dev.silkroute.app.meters.PeriodicTask;
import dev.silkroute.collector.gate.CertifiedConnections;
import dev.silkroute.collector.gate.RouterTls;
import dev.silkroute.collector.gate.RouterTrust;
import io.netty.handler.ssl.SslContext;
import io.netty.util.concurrent.DefaultThreadFactory;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The station's certificate for BMP over TLS, the authorities that sign routers' certificates, and their revocation
 * lists. Changed files are loaded while the station runs. Open sessions keep the certificate of the station with which
 * they were established, and end if their own is not accepted any more.
 */
@Singleton
final class RouterCertificates {
    private static final int MAX_WAITING = 10_000;

    private final CollectorConfig.BmpTls config;
    private final AtomicReference<@Nullable SslContext> context = new AtomicReference<>();
    private final CertifiedConnections connections = new CertifiedConnections();
    private @Nullable PeriodicTask reload;

    RouterCertificates(StationConfig config) {
        this.config = config.bmpTls();
    }

    /** Loads the files. @return null if no certificate is configured */
    @Nullable
    RouterTls tls() {
        BmpTls configured = BmpTls.of(config);
        if (configured == null) {
            return null;
        }
        RouterTlsFiles files = new RouterTlsFiles(configured);
        context.set(files.load().context());
        PeriodicTask task = new PeriodicTask(
                "certificates", "silkroute-certificates", () -> files.reload().ifPresent(this::renew));
        task.start(config.reloadInterval());
        reload = task;
        return new RouterTls(
                () -> Objects.requireNonNull(context.get()),
                config.plainToo(),
                config.handshakeTimeout(),
                threads(),
                config.routerName(),
                connections);
    }

    private void renew(RouterTlsFiles.Content content) {
        context.set(content.context());
        RouterTrust trust = content.trust();
        if (trust != null) {
            connections.check(trust);
        }
    }

    /**
     * Creates the threads for handshakes, which end after a minute without work. A connection is closed if too many
     * handshakes are waiting.
     */
    private Executor threads() {
        int count = config.handshakeThreads();
        ThreadPoolExecutor threads = new ThreadPoolExecutor(
                count,
                count,
                1,
                TimeUnit.MINUTES,
                new ArrayBlockingQueue<>(MAX_WAITING),
                new DefaultThreadFactory("bmp-handshake", true));
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }

    @PreDestroy
    void stop() {
        if (reload != null) {
            reload.close();
        }
    }
}
