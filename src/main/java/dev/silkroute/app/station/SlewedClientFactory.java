package dev.silkroute.app.station;

import java.lang.reflect.Constructor;
import java.util.Properties;
import org.apache.camel.component.kafka.DefaultKafkaClientFactory;
import org.apache.kafka.clients.ApiVersions;
import org.apache.kafka.clients.KafkaClient;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.internals.ProducerInterceptors;
import org.apache.kafka.clients.producer.internals.ProducerMetadata;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.Utils;

/**
 * Makes Kafka producers that take the time from another clock than the system's. Kafka has a constructor for that,
 * which is not public (ADR 43).
 */
final class SlewedClientFactory extends DefaultKafkaClientFactory {
    private final Time time;

    SlewedClientFactory(Time time) {
        this.time = time;
    }

    @Override
    @SuppressWarnings("rawtypes") // as camel-kafka declares it
    public Producer getProducer(Properties properties) {
        try {
            Constructor<KafkaProducer> constructor = KafkaProducer.class.getDeclaredConstructor(
                    ProducerConfig.class,
                    Serializer.class,
                    Serializer.class,
                    ProducerMetadata.class,
                    KafkaClient.class,
                    ProducerInterceptors.class,
                    ApiVersions.class,
                    Time.class);
            constructor.setAccessible(true);
            // Kafka creates the parts that are null from the configuration
            return constructor.newInstance(
                    new ProducerConfig(Utils.propsToMap(properties)),
                    null,
                    null,
                    null,
                    null,
                    null,
                    new ApiVersions(),
                    time);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("a Kafka producer could not be made", e);
        }
    }
}
