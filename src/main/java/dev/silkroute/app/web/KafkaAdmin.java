package dev.silkroute.app.web;

import dev.silkroute.app.config.KafkaAccess;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import org.apache.kafka.clients.admin.Admin;
import org.jspecify.annotations.Nullable;

/** The admin client that the API and the health checks share, created on first use. Thread-safe. */
@Singleton
final class KafkaAdmin {
    static final Duration TIMEOUT = Duration.ofSeconds(3);

    private final KafkaAccess kafka;
    private @Nullable Admin admin;

    @Inject
    KafkaAdmin(KafkaAccess kafka) {
        this.kafka = kafka;
    }

    synchronized Admin client() {
        if (admin == null) {
            admin = kafka.admin("silkroute-admin", TIMEOUT);
        }
        return admin;
    }

    @PreDestroy
    synchronized void close() {
        if (admin != null) {
            admin.close(Duration.ofSeconds(1));
        }
    }
}
