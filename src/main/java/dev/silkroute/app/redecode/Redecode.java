package dev.silkroute.app.redecode;

import dev.silkroute.app.config.OperatorError;
import dev.silkroute.app.config.StationTopic;
import dev.silkroute.app.station.Database;
import dev.silkroute.app.station.TopicCreator;
import java.net.InetAddress;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Decodes quarantined messages, or those of a time range, again. The design is described in
 * docs/adr/0011-redecoding.md.
 */
public final class Redecode {
    private static final int PARTITIONS = 12;

    /** A session id is the time of the connection by the collector's clock, which may have been adjusted since. */
    private static final long CLOCK_TOLERANCE_MILLIS = TimeUnit.MINUTES.toMillis(1);

    /** A record is sent when it was received, or later if Kafka was unavailable. */
    private static final long DELAY_TOLERANCE_MILLIS = TimeUnit.DAYS.toMillis(1);

    private final RedecodeOptions options;
    private final RedecodeProgress progress;
    private final RedecodeTally tally = new RedecodeTally();
    private final Map<Long, PastSession> sessions = new HashMap<>();

    private Redecode(RedecodeOptions options, RedecodeProgress progress) {
        this.options = options;
        this.progress = progress;
    }

    /**
     * Runs until everything is decoded or the run is interrupted.
     *
     * @throws OperatorError if Kafka or PostgreSQL fail
     */
    public static RedecodeTally run(RedecodeOptions options, RedecodeProgress progress) {
        return new Redecode(options, progress).run();
    }

    private RedecodeTally run() {
        String topic = options.topic();
        if (topic != null && !options.dryRun()) {
            TopicCreator.create(options.kafka(), topic, PARTITIONS);
        }
        try (Connection connection = Database.connect(options.jdbcUrl());
                RawTopic raw = new RawTopic(options.kafka(), options.topicName(StationTopic.RAW), progress)) {
            Quarantine quarantine = new Quarantine(connection);
            try (RedecodeOutput output = new RedecodeOutput(options, quarantine, tally)) {
                findOpen(quarantine, output);
                if (options.raw()) {
                    findInRange(raw, quarantine, output);
                }
                decode(raw);
                output.flush();
            }
            return tally;
        } catch (SQLException e) {
            throw new OperatorError("PostgreSQL reported an error: " + Database.reason(e), e);
        }
    }

    /**
     * Finds the sessions that have messages in quarantine. For a time range these messages are only marked, if they
     * can be decoded.
     */
    private void findOpen(Quarantine quarantine, RedecodeOutput output) throws SQLException {
        if (options.topic() != null) {
            return;
        }
        quarantine.find(
                options,
                (message, router, address, received) -> sessions.computeIfAbsent(
                                message.session(), id -> session(id, router, address, quarantine, output))
                        .addOpen(message.message(), received));
        long records = quarantine.countKafkaRecords();
        if (records > 0 && !options.raw()) {
            tally.note(records + " Kafka records in quarantine are not BMP messages and remain there");
        }
    }

    private void findInRange(RawTopic raw, Quarantine quarantine, RedecodeOutput output) {
        raw.read(
                "find",
                millis(options.from(), 0),
                until(),
                record -> {
                    if (isWanted(record)) {
                        sessions.computeIfAbsent(
                                record.session(),
                                id -> session(id, record.router(), record.routerAddress(), quarantine, output));
                    }
                },
                () -> false);
    }

    private boolean isWanted(RawRecord record) {
        String router = options.router();
        return options.includes(record.receivedMicros()) && (router == null || router.equals(record.router()));
    }

    private void decode(RawTopic raw) throws SQLException {
        if (sessions.isEmpty() || progress.isInterrupted()) {
            return;
        }
        long first = sessions.keySet().stream().mapToLong(Long::longValue).min().orElseThrow();
        long[] open = {sessions.size()};
        raw.read(
                "redecode",
                TimeUnit.MICROSECONDS.toMillis(first) - CLOCK_TOLERANCE_MILLIS,
                options.raw() ? until() : Long.MAX_VALUE,
                record -> {
                    PastSession session = sessions.get(record.session());
                    if (session != null && !session.isDone()) {
                        accept(session, record);
                        open[0] -= session.isDone() ? 1 : 0;
                    }
                },
                () -> open[0] == 0);
        if (raw.foreign() > 0) {
            tally.note(raw.foreign() + " records of bmp.raw were not written by a station and were skipped");
        }
        if (!progress.isInterrupted()) {
            for (PastSession session : sessions.values()) {
                session.finish();
            }
        }
    }

    private static void accept(PastSession session, RawRecord record) {
        try {
            session.accept(record);
        } catch (SQLException e) {
            throw new OperatorError("PostgreSQL reported an error: " + Database.reason(e), e);
        }
    }

    private PastSession session(
            long id, String router, @Nullable String address, Quarantine quarantine, RedecodeOutput output) {
        tally.addSession();
        return new PastSession(options, output, quarantine, tally, id, router, address(address));
    }

    private static InetAddress address(@Nullable String text) {
        try {
            return InetAddress.ofLiteral(text == null || text.isEmpty() ? "0.0.0.0" : text);
        } catch (IllegalArgumentException e) {
            return InetAddress.ofLiteral("0.0.0.0");
        }
    }

    private long until() {
        Instant to = options.to();
        return to == null ? Long.MAX_VALUE : to.toEpochMilli() + DELAY_TOLERANCE_MILLIS;
    }

    private static long millis(@Nullable Instant time, long otherwise) {
        return time == null ? otherwise : time.toEpochMilli();
    }
}
