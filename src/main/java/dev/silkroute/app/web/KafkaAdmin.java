package dev.silkroute.app.web;

import dev.silkroute.app.config.KafkaAccess;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.jspecify.annotations.Nullable;

/** The station's one admin client, made when first asked for. Thread-safe. */
@Singleton
final class KafkaAdmin {
    static final Duration LIMIT = Duration.ofSeconds(3);

    private final KafkaAccess kafka;
    private @Nullable Admin admin;

    @Inject
    KafkaAdmin(KafkaAccess kafka) {
        this.kafka = kafka;
    }

    synchronized Admin client() {
        if (admin == null) {
            admin = Admin.create(kafka.with(Map.of(
                    AdminClientConfig.CLIENT_ID_CONFIG,
                    "silkroute-admin",
                    AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
                    (int) LIMIT.toMillis(),
                    AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG,
                    (int) LIMIT.toMillis())));
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
