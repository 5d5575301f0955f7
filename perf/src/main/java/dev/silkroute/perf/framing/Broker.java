package dev.silkroute.perf.framing;

import dev.silkroute.app.embedded.DataDirectory;
import dev.silkroute.app.embedded.EmbeddedKafka;
import dev.silkroute.app.embedded.Installation;
import dev.silkroute.app.embedded.PersistentPorts;
import dev.silkroute.app.embedded.ServerProcesses;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** The station's embedded broker, and the topics of the runs. */
final class Broker implements AutoCloseable {
    static final int PARTITIONS = 12;

    private final DataDirectory directory;
    private final EmbeddedKafka kafka;
    private final Admin admin;

    Broker(Path folder) {
        directory = DataDirectory.open(folder, 1L << 30);
        kafka = EmbeddedKafka.start(
                Installation.find(),
                directory,
                new PersistentPorts(directory),
                new ServerProcesses(directory),
                List.of());
        admin = Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, kafka.bootstrap()));
    }

    String bootstrap() {
        return kafka.bootstrap();
    }

    void create(String topic) throws Exception {
        NewTopic wanted = new NewTopic(topic, PARTITIONS, (short) 1)
                .configs(Map.of(
                        TopicConfig.MAX_MESSAGE_BYTES_CONFIG,
                        Integer.toString(EmbeddedKafka.MAX_MESSAGE_BYTES),
                        TopicConfig.FILE_DELETE_DELAY_MS_CONFIG,
                        "1000"));
        admin.createTopics(List.of(wanted)).all().get();
        awaitLeaders(topic);
    }

    /**
     * Offsets are answered by a partition's leader only, so that all of them lead then. A record that comes earlier may
     * be rejected and a later one of the same producer taken: the producer then tries the first one again for ever.
     */
    private void awaitLeaders(String topic) {
        Map<TopicPartition, OffsetSpec> all = IntStream.range(0, PARTITIONS)
                .mapToObj(partition -> new TopicPartition(topic, partition))
                .collect(Collectors.toMap(partition -> partition, _ -> OffsetSpec.latest()));
        Waiting.until(() -> answers(all), "leaders of " + topic);
    }

    private boolean answers(Map<TopicPartition, OffsetSpec> partitions) {
        try {
            admin.listOffsets(partitions).all().get();
            return true;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof UnknownTopicOrPartitionException) {
                return false;
            }
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    void delete(String topic) throws Exception {
        admin.deleteTopics(List.of(topic)).all().get();
    }

    double cpuSeconds() {
        return kafka.process().info().totalCpuDuration().orElse(Duration.ZERO).toMillis() / 1000.0;
    }

    @Override
    public void close() {
        admin.close();
        kafka.close();
        directory.close();
    }
}
