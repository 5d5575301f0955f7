package dev.silkroute.app.station;

import dev.silkroute.app.config.KafkaAccess;
import dev.silkroute.app.config.Settings;
import io.quarkus.arc.Unremovable;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import org.apache.camel.component.kafka.KafkaComponent;
import org.apache.camel.spi.ComponentCustomizer;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Configures how the station's beans and the routes' {@code kafka:} endpoints connect to Kafka. */
final class KafkaBeans {
    @Produces
    @Singleton
    KafkaAccess access(@ConfigProperty(name = "silkroute.kafka-bootstrap") String bootstrap) {
        return KafkaAccess.of(bootstrap, Settings.ofProcess());
    }

    @Produces
    @Singleton
    @Named("kafkaSecurity")
    @Unremovable
    ComponentCustomizer security(KafkaAccess access) {
        return ComponentCustomizer.builder(KafkaComponent.class)
                .build(kafka ->
                        kafka.getConfiguration().getAdditionalProperties().putAll(access.security()));
    }
}
