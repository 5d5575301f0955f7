package dev.silkroute.app.redecode;

import dev.silkroute.app.config.OperatorError;
import dev.silkroute.app.config.StationTopic;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.session.DecodedBatch;
import dev.silkroute.session.LaneName;
import dev.silkroute.session.SessionRecord;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Sends decoded messages to Kafka: back to their lanes, marked as redecoded, or only the route batches to another
 * topic. A message is marked as decoded in the quarantine only after Kafka has acknowledged all its records. A run
 * that is interrupted therefore loses nothing, and repeating it adds nothing.
 */
final class RedecodeOutput implements AutoCloseable {
    private static final int MARKS_PER_STATEMENT = 500;

    private final RedecodeOptions options;
    private final Quarantine quarantine;
    private final RedecodeTally tally;
    private final List<Quarantine.MessageId> decoded = new ArrayList<>();
    private final @Nullable RecordSender sender;

    RedecodeOutput(RedecodeOptions options, Quarantine quarantine, RedecodeTally tally) {
        this.options = options;
        this.quarantine = quarantine;
        this.tally = tally;
        sender = options.dryRun() ? null : new RecordSender(options.kafka(), options.partitions());
    }

    /**
     * Sends the records of consecutive messages of a session.
     *
     * @param open the session's messages that are in quarantine, to be marked if they could be decoded
     * @param complete whether the session was decoded from its beginning
     */
    void accept(long session, long firstMessage, int messages, DecodedBatch batch, Set<Long> open, boolean complete)
            throws SQLException {
        Set<Long> failed = new HashSet<>();
        for (SessionRecord record : batch.records(LaneName.QUARANTINE)) {
            failed.add(record.sequence() >> 16);
        }
        tally.addDecoded(messages, failed.size(), batch.events());
        String topic = options.topic();
        if (topic != null) {
            if (batch.routes().length > 0) {
                send(topic, batch.router(), batch.routes());
            }
            return;
        }
        if (batch.routes().length > 0) {
            send(options.topicName(StationTopic.ROUTES), batch.router(), RouteBatch.asRedecoded(batch.routes()));
        }
        for (LaneName lane : LaneName.values()) {
            // A quarantined message that fails again is in quarantine already.
            if (lane != LaneName.QUARANTINE || options.raw()) {
                sendRecords(lane, batch, complete);
            }
        }
        for (long message = firstMessage; message < firstMessage + messages; message++) {
            if (open.contains(message) && !failed.contains(message)) {
                decoded.add(new Quarantine.MessageId(session, message));
            }
        }
        if (decoded.size() >= MARKS_PER_STATEMENT) {
            flush();
        }
    }

    private void sendRecords(LaneName lane, DecodedBatch batch, boolean complete) {
        String topic = options.topicName(StationTopic.valueOf(lane.name()));
        for (SessionRecord record : batch.records(lane)) {
            // In an incomplete session, the peer's Peer Up may only be missing.
            if (complete || !record.event().equals("peer-unannounced")) {
                send(topic, batch.router(), record.json());
            }
        }
    }

    private void send(String topic, String router, byte[] value) {
        if (sender != null) {
            sender.send(topic, router, value);
            tally.addRecord();
            check(sender);
        }
    }

    /** Waits until Kafka has acknowledged all records, then marks the decoded messages. */
    void flush() throws SQLException {
        if (sender != null) {
            sender.flush();
            check(sender);
            if (!decoded.isEmpty()) {
                quarantine.mark(decoded);
            }
        }
        decoded.clear();
    }

    private static void check(RecordSender sender) {
        Exception problem = sender.failure();
        if (problem != null) {
            throw new OperatorError("Kafka rejected a record: " + OperatorError.reason(problem), problem);
        }
    }

    @Override
    public void close() {
        if (sender != null) {
            sender.close();
        }
    }
}
