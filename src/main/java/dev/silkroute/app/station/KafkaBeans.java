package dev.silkroute.app.station;

import dev.silkroute.app.config.KafkaAccess;
import dev.silkroute.app.config.StationConfig;
import dev.silkroute.app.config.StationTopic;
import dev.silkroute.component.bmp.RouterPartitioner;
import io.quarkus.arc.Unremovable;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.time.Clock;
import org.apache.camel.component.kafka.KafkaComponent;
import org.apache.camel.spi.ComponentCustomizer;
import org.apache.camel.spi.Metadata;

/** Configures how the station's beans and the routes' {@code kafka:} endpoints connect to Kafka. */
final class KafkaBeans {
    @Produces
    @Singleton
    KafkaAccess access(StationConfig config) {
        return KafkaAccess.of(config.kafkaBootstrap().orElse(""), config);
    }

    @Produces
    @Singleton
    @Named("kafkaPartitions")
    @Metadata(description = "Gives the producers of the component kafka: the configured numbers of partitions")
    @Unremovable
    ComponentCustomizer partitions(StationConfig config) {
        return ComponentCustomizer.builder(KafkaComponent.class)
                .build(kafka -> kafka.getConfiguration()
                        .getAdditionalProperties()
                        .putAll(RouterPartitioner.settings(StationTopic.partitionsByName(config))));
    }

    @Produces
    @Singleton
    @Named("kafkaSecurity")
    @Metadata(description = "Applies the TLS and SASL settings of the station to the component kafka:")
    @Unremovable
    ComponentCustomizer security(KafkaAccess access) {
        return ComponentCustomizer.builder(KafkaComponent.class)
                .build(kafka ->
                        kafka.getConfiguration().getAdditionalProperties().putAll(access.security()));
    }

    @Produces
    @Singleton
    @Named("kafkaTime")
    @Metadata(description = "Gives the producers of the component kafka: a time that is never set back")
    @Unremovable
    ComponentCustomizer time() {
        return ComponentCustomizer.builder(KafkaComponent.class)
                .build(kafka -> kafka.setKafkaClientFactory(
                        new SlewedClientFactory(new SlewedTime(Clock.systemUTC(), System::nanoTime))));
    }
}
