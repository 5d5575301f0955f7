package dev.silkroute.app.rib;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.silkroute.app.config.KafkaAccess;
import dev.silkroute.fixture.TestKafka;
import dev.silkroute.fixture.TestPostgres;
import dev.silkroute.postgres.TestBatch;
import dev.silkroute.rib.Rib;
import dev.silkroute.rib.RibConfig;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.camel.CamelContext;
import org.apache.camel.component.kafka.KafkaComponent;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.support.PluginHelper;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/** The packaged route of the RIB with a Kafka that loses acknowledged records. */
class LostTopicIT {
    private static final String TOPIC = "lost.routes";
    private static final int RECORDS = 10;

    private final Map<String, Object> kafka = Map.of("bootstrap.servers", TestKafka.withoutStation());

    @Test
    void recordsInPlaceOfLostOnesAreApplied() throws Exception {
        // Given a RIB that has applied a whole topic
        try (Admin admin = Admin.create(kafka)) {
            admin.createTopics(List.of(new NewTopic(TOPIC, 1, (short) 1))).all().get();
        }
        send(0, RECORDS);
        try (Rib rib = new Rib(RibConfig.ofBytes(16 << 20));
                CamelContext context = station(rib)) {
            context.start();
            await().until(() -> rib.size() == RECORDS);
            // When Kafka loses the topic's end, and fewer records take its place
            TestKafka.crash();
            TestKafka.lose(TOPIC, 0);
            TestKafka.restart();
            long kept = end();
            send(RECORDS, RECORDS + 2);
            // Then the RIB contains what Kafka and the database contain
            await().untilAsserted(() -> assertThat(rib.size()).isEqualTo(kept + 2));
        }
    }

    private CamelContext station(Rib rib) throws Exception {
        CamelContext context = new DefaultCamelContext();
        Properties properties = new Properties();
        properties.setProperty("silkroute.topic.routes.name", TOPIC);
        properties.setProperty("station.rib-group", "lost");
        context.getPropertiesComponent().setInitialProperties(properties);
        KafkaComponent component = context.getComponent("kafka", KafkaComponent.class);
        component.getConfiguration().setBrokers(TestKafka.bootstrap());
        context.getRegistry().bind("rib", rib);
        context.getRegistry()
                .bind(
                        "ribFeed",
                        new RibFeed(rib, TestPostgres.database(), new KafkaAccess(TestKafka.bootstrap(), Map.of())));
        PluginHelper.getRoutesLoader(context)
                .loadRoutes(PluginHelper.getResourceLoader(context).resolveResource("classpath:routes/rib.camel.yaml"));
        return context;
    }

    private void send(int from, int to) throws Exception {
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(kafka, new ByteArraySerializer(), new ByteArraySerializer())) {
            for (int i = from; i < to; i++) {
                byte[] record =
                        TestBatch.of(1, i).announce("10.0." + i + ".0/24", i).bytes();
                producer.send(new ProducerRecord<>(TOPIC, record)).get();
            }
        }
    }

    private long end() throws Exception {
        try (Admin admin = Admin.create(kafka)) {
            TopicPartition partition = new TopicPartition(TOPIC, 0);
            return admin.listOffsets(Map.of(partition, OffsetSpec.latest()))
                    .partitionResult(partition)
                    .get()
                    .offset();
        }
    }
}
