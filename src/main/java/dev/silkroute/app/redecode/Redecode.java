package dev.silkroute.app.redecode;

import dev.silkroute.app.config.OperatorError;
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

/** Decodes quarantined messages, or those of a span of time, once more: see docs/adr/0011. */
public final class Redecode {
    private static final int PARTITIONS = 12;

    /** A session id is the time of the connection; a clock may have been set in between. */
    private static final long CLOCK_MILLIS = TimeUnit.MINUTES.toMillis(1);

    /** A record is sent when it was received, or later if Kafka was away. */
    private static final long LATE_MILLIS = TimeUnit.DAYS.toMillis(1);

    private final RedecodeOptions options;
    private final RedecodeProgress progress;
    private final RedecodeTally tally = new RedecodeTally();
    private final Map<Long, PastSession> sessions = new HashMap<>();

    private Redecode(RedecodeOptions options, RedecodeProgress progress) {
        this.options = options;
        this.progress = progress;
    }

    /** Does it, until all is done or an interruption; an {@link OperatorError} where it can't. */
    public static RedecodeTally run(RedecodeOptions options, RedecodeProgress progress) {
        return new Redecode(options, progress).run();
    }

    private RedecodeTally run() {
        String topic = options.topic();
        if (topic != null && !options.dryRun()) {
            TopicCreator.create(options.kafka(), topic, PARTITIONS);
        }
        try (Connection connection = Database.connect(options.jdbcUrl());
                RawTopic raw = new RawTopic(options.kafka(), progress)) {
            OpenMessages quarantine = new OpenMessages(connection);
            try (RedecodeOutput output = new RedecodeOutput(options, quarantine, tally)) {
                findOpen(quarantine, output);
                if (options.raw()) {
                    findInRange(raw, quarantine, output);
                }
                decode(raw);
                output.settle();
            }
            return tally;
        } catch (SQLException e) {
            throw new OperatorError("PostgreSQL refused: " + Database.reason(e), e);
        }
    }

    /** The sessions that have messages in quarantine. Of a raw range they are only what is marked if it can be decoded. */
    private void findOpen(OpenMessages quarantine, RedecodeOutput output) throws SQLException {
        if (options.topic() != null) {
            return;
        }
        quarantine.find(
                options,
                (session, message, router, address, received) -> sessions.computeIfAbsent(
                                session, id -> session(id, router, address, quarantine, output))
                        .isOpen(message, received));
        long records = quarantine.kafkaRecords();
        if (records > 0 && !options.raw()) {
            tally.note(records + " Kafka records in quarantine are no BMP messages and stay");
        }
    }

    private void findInRange(RawTopic raw, OpenMessages quarantine, RedecodeOutput output) {
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
        if (sessions.isEmpty() || progress.interrupted()) {
            return;
        }
        long first = sessions.keySet().stream().mapToLong(Long::longValue).min().orElseThrow();
        long[] open = {sessions.size()};
        raw.read(
                "redecode",
                TimeUnit.MICROSECONDS.toMillis(first) - CLOCK_MILLIS,
                options.raw() ? until() : Long.MAX_VALUE,
                record -> {
                    PastSession session = sessions.get(record.session());
                    if (session != null && !session.isDone()) {
                        take(session, record);
                        open[0] -= session.isDone() ? 1 : 0;
                    }
                },
                () -> open[0] == 0);
        if (raw.foreign() > 0) {
            tally.note(raw.foreign() + " records of bmp.raw are not the station's and were passed over");
        }
        if (!progress.interrupted()) {
            for (PastSession session : sessions.values()) {
                session.finish();
            }
        }
    }

    private static void take(PastSession session, RawRecord record) {
        try {
            session.take(record);
        } catch (SQLException e) {
            throw new OperatorError("PostgreSQL refused: " + Database.reason(e), e);
        }
    }

    private PastSession session(
            long id, String router, @Nullable String address, OpenMessages quarantine, RedecodeOutput output) {
        tally.session();
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
        return to == null ? Long.MAX_VALUE : to.toEpochMilli() + LATE_MILLIS;
    }

    private static long millis(@Nullable Instant time, long otherwise) {
        return time == null ? otherwise : time.toEpochMilli();
    }
}
