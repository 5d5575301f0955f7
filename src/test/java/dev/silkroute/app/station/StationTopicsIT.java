package dev.silkroute.app.station;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.app.config.StationConfig;
import dev.silkroute.app.config.StationTopic;
import dev.silkroute.fixture.TestConfig;
import dev.silkroute.fixture.TestKafka;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.Test;

/** The topics that the station creates, as Kafka describes them. */
class StationTopicsIT {
    private static String value(Admin admin, String topic, String key) throws Exception {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        return admin.describeConfigs(List.of(resource))
                .all()
                .get()
                .get(resource)
                .get(key)
                .value();
    }

    @Test
    void newTopicsHaveTheConfiguredBoundsAndExistingOnesKeepTheirs() throws Exception {
        List<Object> settings = new ArrayList<>(List.of("silkroute.topic.raw.retention-bytes", "300M"));
        for (StationTopic topic : StationTopic.values()) {
            settings.addAll(List.of("silkroute.topic." + topic.key() + ".name", "bounded-" + topic.key()));
        }
        StationConfig config = TestConfig.of(settings.toArray());
        settings.set(1, "200M");
        StationConfig changed = TestConfig.of(settings.toArray());
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", TestKafka.bootstrap()))) {
            StationTopics.create(admin, config, 1);
            StationTopics.create(admin, changed, 1);

            assertThat(value(admin, "bounded-raw", "retention.bytes")).isEqualTo("314572800");
            assertThat(value(admin, "bounded-routes", "retention.bytes")).isEqualTo("10737418240");
            assertThat(value(admin, "bounded-routes", "retention.ms")).isEqualTo("604800000");
            assertThat(value(admin, "bounded-identities", "retention.bytes")).isEqualTo("-1");
            assertThat(value(admin, "bounded-identities", "cleanup.policy")).isEqualTo("compact");
        }
    }
}
