package dev.silkroute.app.collector;

import dev.silkroute.app.config.KafkaAccess;
import dev.silkroute.app.config.StationConfig;
import dev.silkroute.app.config.StationTopic;
import dev.silkroute.app.meters.PeriodicTask;
import dev.silkroute.app.redecode.MissingSpans;
import dev.silkroute.collector.sessions.SessionRegistry;
import dev.silkroute.collector.transport.ReceiveClock;
import dev.silkroute.session.SessionConfig;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jboss.logging.Logger;

/**
 * Records until when everything that this collector has received is decoded and in its topics, so that its next start
 * finds what a kill has interrupted ({@link MissingSpans}). The record is the text of an offset that a consumer group
 * of the collector's name has committed in {@code bmp.raw}; the offset itself means nothing.
 */
final class DecodingProgress implements AutoCloseable {
    private static final Logger LOGGER = Logger.getLogger(DecodingProgress.class);
    private static final Duration INTERVAL = Duration.ofSeconds(2);
    private static final Duration TIMEOUT = Duration.ofSeconds(15);
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(2);

    /** Maximum time by which a start takes longer because messages are to be decoded. */
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private static final String STOPPED = "stopped";
    private static final Pattern TEXT = Pattern.compile("decoded=(\\d{1,18})");

    private final KafkaAccess kafka;
    private final StationConfig config;
    private final SessionRegistry sessions;
    private final String group;
    private final TopicPartition place;
    private final PeriodicTask task =
            new PeriodicTask("the progress of decoding", "silkroute-decoding-progress", this::write);
    private final Admin admin;

    DecodingProgress(KafkaAccess kafka, StationConfig config, SessionRegistry sessions, String collector) {
        this.kafka = kafka;
        this.config = config;
        this.sessions = sessions;
        group = "silkroute.collector." + collector; // not "silkroute-…", the groups whose lag is reported
        place = new TopicPartition(StationTopic.RAW.name(config), 0);
        admin = kafka.admin("silkroute-decoding-progress", TIMEOUT);
    }

    /** Decodes what the previous run has left, then records the progress of this one. */
    void start(SessionConfig decoding) {
        try {
            var found = TEXT.matcher(read());
            if (found.matches()) {
                new MissingSpans(
                                kafka,
                                StationTopic.names(config),
                                StationTopic.partitionsByName(config),
                                decoding,
                                LIMIT)
                        .decode(Long.parseLong(found.group(1)));
            }
            write();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException | KafkaException e) {
            LOGGER.warnf("Cannot determine what the previous run of this collector decoded: %s", e);
        }
        task.start(INTERVAL);
    }

    private String read() throws InterruptedException, ExecutionException, TimeoutException {
        OffsetAndMetadata committed = admin.listConsumerGroupOffsets(group)
                .partitionsToOffsetAndMetadata()
                .get(TIMEOUT.toSeconds(), TimeUnit.SECONDS)
                .get(place);
        return committed == null ? "" : committed.metadata();
    }

    private void write() throws InterruptedException, ExecutionException, TimeoutException {
        long now = ChronoUnit.MICROS.between(Instant.EPOCH, ReceiveClock.SYSTEM.instant());
        write("decoded=" + sessions.acknowledgedUntil(now), TIMEOUT);
    }

    private void write(String text, Duration timeout)
            throws InterruptedException, ExecutionException, TimeoutException {
        admin.alterConsumerGroupOffsets(group, Map.of(place, new OffsetAndMetadata(0, text)))
                .all()
                .get(timeout.toSeconds(), TimeUnit.SECONDS);
    }

    /** Records that there is nothing to look for, if all sessions are complete. */
    @Override
    public void close() {
        task.close();
        try {
            if (sessions.count() == 0) {
                write(STOPPED, STOP_TIMEOUT);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException | KafkaException e) {
            LOGGER.debugf("Cannot record the clean shutdown: %s", e.toString());
        }
        admin.close(Duration.ofSeconds(1));
    }
}
