package dev.silkroute.app.station;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.component.bmp.RouterPartitioner;
import dev.silkroute.fixture.TestConfig;
import org.apache.camel.component.kafka.KafkaComponent;
import org.apache.camel.impl.DefaultCamelContext;
import org.junit.jupiter.api.Test;

class KafkaBeansTest {
    @Test
    void producersReceiveTheConfiguredNumbersOfPartitions() throws Exception {
        try (DefaultCamelContext camel = new DefaultCamelContext()) {
            KafkaComponent kafka = camel.getComponent("kafka", KafkaComponent.class);
            new KafkaBeans()
                    .partitions(TestConfig.of(
                            "silkroute.topic.partitions",
                            3,
                            "silkroute.topic.raw.name",
                            "station.raw",
                            "silkroute.topic.raw.partitions",
                            24))
                    .configure("kafka", kafka);

            assertThat(kafka.createEndpoint("kafka:station.raw"))
                    .extracting("configuration.additionalProperties")
                    .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.MAP)
                    .containsEntry(RouterPartitioner.PARTITIONS_OF + "station.raw", 24)
                    .containsEntry(RouterPartitioner.PARTITIONS_OF + "bmp.routes", 3)
                    .containsEntry(RouterPartitioner.PARTITIONS_OF + "bmp.identities", 1);
        }
    }
}
