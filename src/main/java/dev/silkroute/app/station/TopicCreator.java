package dev.silkroute.app.station;

import dev.silkroute.app.config.KafkaAccess;
import dev.silkroute.app.config.OperatorError;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.errors.TopicExistsException;

/** Creates single topics in a running Kafka cluster, with the cluster's default replication and retention. */
public final class TopicCreator {
    private static final int TIMEOUT_SECONDS = 15;

    private TopicCreator() {}

    /**
     * Creates a topic unless it exists.
     *
     * @return whether it was created
     * @throws OperatorError if Kafka does not respond or rejects the request
     */
    public static boolean create(KafkaAccess kafka, String name, int partitions) {
        try (Admin admin = kafka.admin("silkroute-topic", Duration.ofSeconds(TIMEOUT_SECONDS))) {
            admin.createTopics(List.of(new NewTopic(name, Optional.of(partitions), Optional.empty())))
                    .all()
                    .get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
            return true;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof TopicExistsException) {
                return false;
            }
            throw new OperatorError("cannot create topic " + name + ": " + OperatorError.reason(e), e);
        } catch (TimeoutException e) {
            throw new OperatorError(
                    "cannot create topic " + name + ": Kafka at " + kafka + " did not respond within " + TIMEOUT_SECONDS
                            + " s",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new OperatorError("interrupted", e);
        }
    }
}
