package dev.silkroute.component.bmp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.fixture.GeneratedPage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.junit.jupiter.api.Test;

class RouterPartitionerTest {
    private static final int ROUTERS = 1000;
    private static final int NETWORKS = 100;
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

    /**
     * The table of the scaling page: how evenly 1,000 routers share the partitions, when all send the same and when the
     * largest sends most (Zipf's law). Each cell is the median and the worst of 100 networks with other names.
     */
    @Test
    void skew() throws IOException {
        Map<String, DoubleUnaryOperator> loads = new LinkedHashMap<>();
        loads.put("all the same", rank -> 1);
        loads.put("1/√rank", rank -> 1 / Math.sqrt(rank));
        loads.put("1/rank", rank -> 1 / rank);
        List<List<String>> rows = new ArrayList<>();
        loads.forEach((name, load) -> {
            double total = IntStream.rangeClosed(1, ROUTERS)
                    .mapToDouble(load::applyAsDouble)
                    .sum();
            List<String> row = new ArrayList<>(List.of(name, percent(load.applyAsDouble(1) / total)));
            for (int partitions : List.of(12, 24, 96)) {
                double[] busiest = busiestShares(partitions, load, total);
                row.add(percent(busiest[NETWORKS / 2]) + ", " + percent(busiest[NETWORKS - 1]));
                row.add(String.format(Locale.ROOT, "%.1f", 1 / busiest[NETWORKS / 2]));
            }
            rows.add(row);
        });
        List<String> header = new ArrayList<>(List.of("load of a router", "largest router"));
        for (int partitions : List.of(12, 24, 96)) {
            header.add(partitions + " partitions: busiest, worst");
            header.add("busy writers");
        }
        GeneratedPage.at("docs/how-to/scaling.md").assertSection("skew", GeneratedPage.table(header, rows));
    }

    /** Returns the share of the busiest partition in each network, in ascending order. */
    private static double[] busiestShares(int partitions, DoubleUnaryOperator load, double total) {
        String topic = "skew-" + partitions;
        Cluster cluster = cluster(topic, partitions);
        RouterPartitioner partitioner = new RouterPartitioner();
        return IntStream.range(0, NETWORKS)
                .mapToDouble(network -> {
                    double[] sums = new double[partitions];
                    for (int rank = 1; rank <= ROUTERS; rank++) {
                        byte[] key = ("edge-" + rank + ".pop-" + network).getBytes(StandardCharsets.UTF_8);
                        sums[partitioner.partition(topic, null, key, null, new byte[0], cluster)] +=
                                load.applyAsDouble(rank);
                    }
                    return Arrays.stream(sums).max().orElseThrow() / total;
                })
                .sorted()
                .toArray();
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.1f %%", 100 * share);
    }
}
