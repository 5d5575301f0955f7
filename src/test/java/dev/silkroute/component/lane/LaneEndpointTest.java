package dev.silkroute.component.lane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.OptionalLong;
import org.apache.camel.component.kafka.KafkaConfiguration;
import org.apache.camel.component.kafka.KafkaEndpoint;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class LaneEndpointTest {
    @Test
    void aLaneWithItsOffsetsInTheDatabaseReadsASingleTopic() throws Exception {
        try (DefaultCamelContext camel = new DefaultCamelContext()) {
            LaneEndpoint lane = camel.getEndpoint("lane:one,two?lane=test", LaneEndpoint.class);

            assertThatThrownBy(() -> lane.createConsumer(_ -> {}))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("lane:one,two must read a single topic because its offsets are in the database");
        }
    }

    @Test
    void aLaneWithItsOffsetsInABeanReadsSeveral() throws Exception {
        try (DefaultCamelContext camel = new DefaultCamelContext()) {
            camel.getRegistry().bind("offsets", new FromTheStart());
            LaneEndpoint lane = camel.getEndpoint("lane:one,two?lane=test&offsets=#offsets", LaneEndpoint.class);

            assertThat(lane.createConsumer(_ -> {})).isNotNull();
            assertThat(lane.getConfiguration().topics()).containsExactly("one", "two");
        }
    }

    @Test
    void kafkaWaitsForAFullFetchOfALaneWithFetchWait() throws Exception {
        try (DefaultCamelContext camel = new DefaultCamelContext()) {
            camel.getRegistry().bind("offsets", new FromTheStart());
            KafkaConfiguration usual = kafka(camel, "lane:one?lane=test&offsets=#offsets&fetchBytes=1000");
            KafkaConfiguration waiting =
                    kafka(camel, "lane:one?lane=test&offsets=#offsets&fetchBytes=1000&fetchWait=100");

            assertThat(usual.getFetchMinBytes()).isEqualTo(1);
            assertThat(usual.getFetchMaxBytes()).isEqualTo(1000);
            assertThat(waiting.getFetchMinBytes()).isEqualTo(1000);
            assertThat(waiting.getFetchWaitMaxMs()).isEqualTo(100);
        }
    }

    private static KafkaConfiguration kafka(DefaultCamelContext camel, String uri) throws Exception {
        LaneEndpoint lane = camel.getEndpoint(uri, LaneEndpoint.class);
        return ((KafkaEndpoint) lane.createConsumer(_ -> {}).getEndpoint()).getConfiguration();
    }

    private static final class FromTheStart implements OffsetStore {
        @Override
        public OptionalLong nextOffset(TopicPartition partition) {
            return OptionalLong.empty();
        }

        @Override
        public void onRead(TopicPartition partition, long offset, long timestamp) {
            // Keeps nothing
        }
    }
}
