package dev.silkroute.app.collector;

import dev.silkroute.app.config.BmpTls;
import dev.silkroute.app.config.OperatorError;
import dev.silkroute.app.config.StationConfig;
import dev.silkroute.collector.gate.RouterTls;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.IdentityCipherSuiteFilter;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContext;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.quarkus.tls.CertificateUpdatedEvent;
import io.quarkus.tls.TlsConfiguration;
import io.quarkus.tls.TlsConfigurationRegistry;
import io.vertx.core.net.SSLOptions;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The station's certificate for BMP over TLS, and the authorities that sign routers' certificates, from Quarkus's TLS
 * registry ({@link BmpTls}), which also reloads them. Open sessions keep the certificate with which they were
 * established.
 */
@Singleton
final class RouterCertificates {
    private static final int MAX_WAITING = 10_000;

    private final TlsConfigurationRegistry registry;
    private final StationConfig.BmpTls handshakes;
    private final AtomicReference<@Nullable SslContext> context = new AtomicReference<>();

    RouterCertificates(TlsConfigurationRegistry registry, StationConfig config) {
        this.registry = registry;
        handshakes = config.bmpTls();
    }

    /**
     * @param plainToo whether BMP without TLS is accepted as well
     * @return null if no certificate is configured
     */
    @Nullable
    RouterTls tls(boolean plainToo) {
        TlsConfiguration configured = registry.get(BmpTls.NAME).orElse(null);
        if (configured == null) {
            return null;
        }
        context.set(context(configured));
        return new RouterTls(
                () -> Objects.requireNonNull(context.get()),
                plainToo,
                CollectorBeans.positive("silkroute.bmp-tls.handshake-timeout", handshakes.handshakeTimeout()),
                threads());
    }

    /**
     * Creates the threads for handshakes, which end after a minute without work. A connection is closed if too many
     * handshakes are waiting.
     */
    private Executor threads() {
        int count = CollectorBeans.atLeast("silkroute.bmp-tls.handshake-threads", handshakes.handshakeThreads(), 1);
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

    void renewed(@Observes CertificateUpdatedEvent event) {
        if (BmpTls.NAME.equals(event.name())) {
            context.set(context(event.tlsConfiguration()));
        }
    }

    private static SslContext context(TlsConfiguration configured) {
        SSLOptions options = configured.getSSLOptions();
        try {
            return new JdkSslContext(
                    configured.createSSLContext(),
                    false,
                    options.getEnabledCipherSuites().isEmpty() ? null : options.getEnabledCipherSuites(),
                    IdentityCipherSuiteFilter.INSTANCE,
                    null,
                    configured.getTrustStore() == null ? ClientAuth.NONE : ClientAuth.REQUIRE,
                    options.getEnabledSecureTransportProtocols().toArray(String[]::new),
                    false);
        } catch (Exception e) { // declared by createSSLContext
            throw new OperatorError("silkroute.bmp-tls: " + OperatorError.reason(e), e);
        }
    }
}
