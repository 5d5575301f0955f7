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

/** Makes one topic on a running Kafka, with the cluster's own replication and retention. */
public final class TopicMaker {
    private static final int LIMIT_SECONDS = 15;

    private TopicMaker() {}

    /**
     * Makes a topic unless it is there.
     *
     * @return false if it was there
     * @throws OperatorError when Kafka doesn't answer or refuses
     */
    public static boolean make(KafkaAccess kafka, String name, int partitions) {
        try (Admin admin = kafka.admin("silkroute-topic", Duration.ofSeconds(LIMIT_SECONDS))) {
            admin.createTopics(List.of(new NewTopic(name, Optional.of(partitions), Optional.empty())))
                    .all()
                    .get(LIMIT_SECONDS, TimeUnit.SECONDS);
            return true;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof TopicExistsException) {
                return false;
            }
            throw new OperatorError("Kafka did not make the topic " + name + ": " + OperatorError.reason(e), e);
        } catch (TimeoutException e) {
            throw new OperatorError("Kafka at " + kafka + " does not answer", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new OperatorError("interrupted", e);
        }
    }
}
