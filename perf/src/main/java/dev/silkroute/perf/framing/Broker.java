package dev.silkroute.perf.framing;

import dev.silkroute.app.embedded.DataDirectory;
import dev.silkroute.app.embedded.EmbeddedKafka;
import dev.silkroute.app.embedded.Installation;
import dev.silkroute.app.embedded.KeptPorts;
import dev.silkroute.app.embedded.ServerProcesses;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.TopicConfig;

/** The station's embedded broker, and the topics of the runs. */
final class Broker implements AutoCloseable {
    static final int PARTITIONS = 12;

    private final DataDirectory directory;
    private final EmbeddedKafka kafka;
    private final Admin admin;

    Broker(Path folder) {
        directory = DataDirectory.open(folder, 1L << 30);
        kafka = EmbeddedKafka.start(
                Installation.find(), directory, new KeptPorts(directory), new ServerProcesses(directory));
        admin = Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, kafka.bootstrap()));
    }

    String bootstrap() {
        return kafka.bootstrap();
    }

    void create(String topic) throws Exception {
        NewTopic wanted = new NewTopic(topic, PARTITIONS, (short) 1)
                .configs(Map.of(
                        TopicConfig.MAX_MESSAGE_BYTES_CONFIG,
                        Integer.toString(EmbeddedKafka.MESSAGE_BYTES),
                        TopicConfig.FILE_DELETE_DELAY_MS_CONFIG,
                        "1000"));
        admin.createTopics(List.of(wanted)).all().get();
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
