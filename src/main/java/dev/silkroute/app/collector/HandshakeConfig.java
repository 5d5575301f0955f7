package dev.silkroute.app.collector;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** TLS handshakes of routers; {@link dev.silkroute.app.config.BmpTls} has the certificate files. */
@ConfigMapping(prefix = "silkroute.bmp-tls")
interface HandshakeConfig {
    /** How long a connection may take until its TLS handshake is complete. */
    @WithDefault("10s")
    Duration handshakeTimeout();

    /** Threads that compute TLS handshakes, apart from those that read from routers. */
    @WithDefault("2")
    int handshakeThreads();
}
