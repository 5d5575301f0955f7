package dev.silkroute.component.bmp;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.junit.jupiter.api.Test;

class RouterPartitionerTest {
    private static final Node NODE = new Node(1, "127.0.0.1", 9092);

    private static Cluster cluster(String topic, int partitions) {
        List<PartitionInfo> all = IntStream.range(0, partitions)
                .mapToObj(number -> new PartitionInfo(topic, number, NODE, new Node[] {NODE}, new Node[] {NODE}))
                .toList();
        return new Cluster("test", List.of(NODE), all, Set.of(), Set.of());
    }

    private static List<Integer> partitions(RouterPartitioner partitioner, Cluster cluster, String topic) {
        return routers().stream()
                .map(key -> partitioner.partition(topic, null, key, null, new byte[0], cluster))
                .toList();
    }

    private static List<byte[]> routers() {
        return IntStream.range(0, 100)
                .mapToObj(number -> ("router-" + number).getBytes(StandardCharsets.UTF_8))
                .toList();
    }

    private static List<Integer> byKafka(int partitions) {
        return routers().stream()
                .map(key -> BuiltInPartitioner.partitionForKey(key, partitions))
                .toList();
    }

    @Test
    void givenMorePartitionsThanAtTheStartThenEachRouterKeepsItsPartition() {
        String topic = "raised";
        assertThat(partitions(new RouterPartitioner(), cluster(topic, 4), topic))
                .isEqualTo(byKafka(4));

        assertThat(partitions(new RouterPartitioner(), cluster(topic, 12), topic))
                .as("also of a producer that is created later")
                .isEqualTo(byKafka(4));
    }

    @Test
    void givenMorePartitionsThanConfiguredThenTheyAreNotUsed() {
        String topic = "raised.before";
        RouterPartitioner partitioner = new RouterPartitioner();
        partitioner.configure(Map.of(RouterPartitioner.PARTITIONS_OF + topic, 4));

        assertThat(partitions(partitioner, cluster(topic, 12), topic))
                .as("as by the process before this one")
                .isEqualTo(byKafka(4));
    }

    @Test
    void givenFewerPartitionsThanConfiguredWhenTheyAreAddedThenEachRouterKeepsItsPartition() {
        String topic = "raised.late";
        RouterPartitioner partitioner = new RouterPartitioner();
        partitioner.configure(Map.of(RouterPartitioner.PARTITIONS_OF + topic, 12));

        assertThat(partitions(partitioner, cluster(topic, 4), topic)).isEqualTo(byKafka(4));
        assertThat(partitions(partitioner, cluster(topic, 12), topic)).isEqualTo(byKafka(4));
    }

    @Test
    void givenATopicThatWasCreatedAgainWithFewerPartitionsThenTheseAreUsed() {
        String topic = "lowered";
        partitions(new RouterPartitioner(), cluster(topic, 12), topic);

        assertThat(partitions(new RouterPartitioner(), cluster(topic, 4), topic))
                .isEqualTo(byKafka(4));
    }
}
