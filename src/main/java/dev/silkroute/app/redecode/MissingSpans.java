package dev.silkroute.app.redecode;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.silkroute.app.config.KafkaAccess;
import dev.silkroute.app.config.OperatorError;
import dev.silkroute.app.config.StationTopic;
import dev.silkroute.bmp.BmpMessages;
import dev.silkroute.bmp.MessageType;
import dev.silkroute.net.DecodeException;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.RouteCursor;
import dev.silkroute.route.WireFormatException;
import dev.silkroute.session.BmpSession;
import dev.silkroute.session.DecodedBatch;
import dev.silkroute.session.LaneName;
import dev.silkroute.session.Redecoder;
import dev.silkroute.session.SessionConfig;
import dev.silkroute.session.SessionRecord;
import dev.silkroute.session.identity.RouterIdentity;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Continues the sessions of a collector that was killed: messages that it had sent to {@code bmp.raw}, and whose
 * events it had not sent to the lanes, are decoded before the collector reports its next start. To all consumers they
 * are the regular end of the session. A router's context is restored from the beginning of its session.
 */
public final class MissingSpans {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Logger LOGGER = Logger.getLogger(MissingSpans.class);

    /** Kafka's time of a record is that of the collector's clock when it sent it, which may have been adjusted. */
    private static final long MARGIN_MILLIS = 1_000;

    private static final long CLOCK_TOLERANCE_MILLIS = TimeUnit.MINUTES.toMillis(1);

    private final KafkaAccess kafka;
    private final Map<StationTopic, String> topics;
    private final Map<String, Integer> partitions;
    private final SessionConfig decoding;
    private final Duration limit;
    private final Deadline deadline;
    private final Map<Long, Span> spans = new HashMap<>();

    /**
     * The earliest time stamp of a record found. It is before the time from which on records are sought if an earlier
     * record has a later time stamp, because a clock was ahead. What was sent at that time has to be compared, too.
     */
    private long earliest = Long.MAX_VALUE;

    /**
     * @param topics the names of the station's topics
     * @param partitions the configured numbers of partitions, by the names of the topics
     * @param decoding the settings of the collector, with its name
     * @param limit how long the collector may wait for it
     */
    public MissingSpans(
            KafkaAccess kafka,
            Map<StationTopic, String> topics,
            Map<String, Integer> partitions,
            SessionConfig decoding,
            Duration limit) {
        this.kafka = kafka;
        this.topics = Map.copyOf(topics);
        this.partitions = Map.copyOf(partitions);
        this.decoding = decoding;
        this.limit = limit;
        deadline = new Deadline(limit);
    }

    /** A session of the previous run. Numbers are those of its messages. */
    private static final class Span {
        private final RawRecord first;
        /** The last message whose events belong in {@code bmp.routes}; -1 if there is none. */
        private long lastRaw = -1;

        private long lastDecoded = -1;
        private long next;
        /** True if it had begun before the time in its id, by the time stamps of its records. */
        private boolean beginsEarlier;

        private boolean abandoned;
        private final Map<LaneName, LaneEnd> sent = new EnumMap<>(LaneName.class);
        private @Nullable BmpSession session;

        private Span(RawRecord first) {
            this.first = first;
        }

        private boolean isMissing() {
            return lastRaw > lastDecoded;
        }

        private LaneEnd sent(LaneName lane) {
            return sent.computeIfAbsent(lane, _ -> new LaneEnd());
        }

        @Override
        public String toString() {
            return "messages " + (lastDecoded + 1) + " to " + lastRaw + " of session " + first.session() + " of router "
                    + first.router();
        }
    }

    /** The last records of a session in a lane's topic, which has them in the order of the session. */
    private static final class LaneEnd {
        private final Set<String> events = new HashSet<>();
        private long sequence = -1;

        private void add(long position, String event) {
            if (position > sequence) {
                sequence = position;
                events.clear();
            }
            if (position == sequence) {
                events.add(event);
            }
        }

        private boolean contains(SessionRecord record) {
            return record.sequence() < sequence || record.sequence() == sequence && events.contains(record.event());
        }
    }

    /**
     * Decodes what is missing and waits until Kafka has acknowledged it.
     *
     * @param decodedMicros everything that was received before is decoded, microseconds since 1970
     * @return the number of records of {@code bmp.raw} that were decoded
     * @throws OperatorError if Kafka is unavailable
     */
    public int decode(long decodedMicros) {
        long from = TimeUnit.MICROSECONDS.toMillis(decodedMicros) - MARGIN_MILLIS;
        try (RawTopic raw = new RawTopic(kafka, name(StationTopic.RAW), deadline)) {
            raw.readAll("find", from, Long.MAX_VALUE, this::find, () -> false);
        }
        long sent = Math.min(from, earliest) - MARGIN_MILLIS;
        if (!spans.isEmpty()) {
            try (RawTopic routes = new RawTopic(kafka, name(StationTopic.ROUTES), deadline)) {
                routes.readAll("compare", sent, Long.MAX_VALUE, this::compare, () -> false);
            }
        }
        if (deadline.isInterrupted()) {
            LOGGER.errorf(
                    "Reading the topics since %s took longer than %d s. Whether this collector had decoded everything"
                            + " is unknown; silkroute redecode --raw --in-place adds events to the history",
                    Instant.ofEpochMilli(from), limit.toSeconds());
            return 0;
        }
        spans.values().removeIf(span -> !span.isMissing());
        spans.values()
                .forEach(span -> LOGGER.warnf(
                        "The collector ended before it had decoded %s: decoding them now, from the beginning of the"
                                + " session",
                        span));
        return spans.isEmpty() ? 0 : decodeFound(from, sent);
    }

    private String name(StationTopic topic) {
        return Objects.requireNonNull(topics.get(topic));
    }

    private void find(ConsumerRecord<byte[], byte[]> found) {
        RawRecord record = RawRecord.of(found);
        if (record == null || !record.collector().equals(decoding.collector())) {
            return;
        }
        Span span = spans.computeIfAbsent(record.session(), _ -> new Span(record.withoutBytes()));
        span.lastRaw = Math.max(span.lastRaw, lastRouted(record));
        earliest = Math.min(earliest, found.timestamp());
    }

    /** Returns the number of the last message that has events in {@code bmp.routes}, -1 if there is none. */
    private static long lastRouted(RawRecord record) {
        byte[] bytes = record.bytes();
        long last = -1;
        if (isWhole(bytes)) {
            long message = record.firstMessage();
            for (int at = 0; at < bytes.length; at += BmpMessages.length(bytes, at), message++) {
                MessageType type = MessageType.of(BmpMessages.type(bytes, at));
                if (type == MessageType.ROUTE_MONITORING
                        || type == MessageType.PEER_UP
                        || type == MessageType.PEER_DOWN) {
                    last = message;
                }
            }
        }
        return last;
    }

    private static boolean isWhole(byte[] bytes) {
        try {
            return Redecoder.messages(bytes) > 0;
        } catch (DecodeException e) {
            return false;
        }
    }

    private void compare(ConsumerRecord<byte[], byte[]> record) {
        try {
            RouteBatch batch = RouteBatch.read(record.value());
            Span span = spans.get(batch.sessionId());
            if (span != null && batch.collector().equals(decoding.collector())) {
                RouteCursor event = batch.cursor();
                while (event.next()) {
                    span.lastDecoded = Math.max(span.lastDecoded, event.sequence() >> 16);
                }
            }
        } catch (WireFormatException e) {
            LOGGER.debugf("A record of bmp.routes is not a route batch: %s", e.reason());
        }
    }

    /** @param sent the time stamp from which on what has been sent of the sessions is read */
    private int decodeFound(long from, long sent) {
        for (LaneName lane : LaneName.values()) {
            try (RawTopic records = new RawTopic(kafka, name(topic(lane)), deadline)) {
                records.readAll("compare", sent, Long.MAX_VALUE, record -> sent(lane, record), () -> false);
            }
        }
        long begin = TimeUnit.MICROSECONDS.toMillis(
                spans.keySet().stream().mapToLong(Long::longValue).min().orElseThrow());
        int decoded;
        Exception problem;
        try (RecordSender sender = new RecordSender(kafka, partitions)) {
            decoded = decodeSpans(Math.min(from, begin - CLOCK_TOLERANCE_MILLIS), false, sender);
            if (spans.values().stream().anyMatch(span -> span.beginsEarlier)) {
                decoded += decodeSpans(0, true, sender);
            }
            sender.flush();
            problem = sender.failure();
        }
        if (problem != null) {
            LOGGER.errorf(
                    "Kafka rejected a record: %s. Events may be missing: %s. To add them to the history, run silkroute"
                            + " redecode --raw --in-place with --from and --to",
                    OperatorError.reason(problem), spans.values());
        }
        if (deadline.isInterrupted()) {
            LOGGER.errorf(
                    "Reading %s took longer than %d s. Events may be missing: %s. To add them to the history, run"
                            + " silkroute redecode --raw --in-place with --from and --to",
                    name(StationTopic.RAW), limit.toSeconds(), spans.values());
        }
        return decoded;
    }

    /**
     * Reads the sessions from a time on and sends what is missing. A session may have begun before the time in its id,
     * by the time stamps of its records: ids continue after those of a clock that was ahead.
     *
     * @param whole whether this is the second attempt, for sessions whose beginning the first one has not read
     * @return the number of records whose events were sent
     */
    private int decodeSpans(long from, boolean whole, RecordSender sender) {
        int[] decoded = new int[1];
        try (RawTopic again = new RawTopic(kafka, name(StationTopic.RAW), deadline)) {
            again.read(
                    "decode",
                    from,
                    Long.MAX_VALUE,
                    record -> {
                        Span span = spans.get(record.session());
                        if (span != null
                                && (!whole || span.beginsEarlier)
                                && record.collector().equals(decoding.collector())) {
                            decoded[0] += accept(span, record, whole, sender) ? 1 : 0;
                        }
                    },
                    () -> false);
        }
        return decoded[0];
    }

    /** Takes the records of a session from its first one on. Returns whether the record's events were sent. */
    private boolean accept(Span span, RawRecord record, boolean whole, RecordSender sender) {
        if (span.abandoned || !isWhole(record.bytes()) || record.firstMessage() < span.next) {
            return false; // a repetition: records are written at least once
        }
        BmpSession session = span.session;
        if (session == null || record.firstMessage() > span.next) {
            if (record.firstMessage() > span.next) {
                if (session == null && !whole) {
                    span.beginsEarlier = true;
                    return false;
                }
                span.abandoned = true;
                LOGGER.errorf(
                        "Cannot decode %s: earlier messages of the session have expired from %s",
                        span, name(StationTopic.RAW));
                return false;
            }
            session = new BmpSession(
                    decoding, record.session(), address(record), RouterIdentity.configured(record.router()));
            span.session = session;
        }
        byte[] bytes = record.bytes();
        int missingFrom = endOf(bytes, span.lastDecoded + 1 - record.firstMessage());
        boolean isMissing = missingFrom < bytes.length;
        DecodedBatch done = decode(session, record, 0, missingFrom);
        DecodedBatch missing = decode(session, record, missingFrom, bytes.length);
        span.next = session.messages();
        if (record.firstMessage() < span.first.firstMessage()) {
            return false; // context: sent to bmp.raw before the time from which on events may be missing
        }
        if (missing.routes().length > 0) {
            sender.send(name(StationTopic.ROUTES), missing.router(), missing.routes());
        }
        sendEvents(span, done, sender);
        sendEvents(span, missing, sender);
        return isMissing;
    }

    /** Returns the offset after this number of messages, or the length of the bytes if they have fewer. */
    private static int endOf(byte[] bytes, long messages) {
        int end = 0;
        for (long message = 0; message < messages && end < bytes.length; message++) {
            end += BmpMessages.length(bytes, end);
        }
        return end;
    }

    private static DecodedBatch decode(BmpSession session, RawRecord record, int from, int to) {
        long first = from == 0 ? record.firstMessage() : session.messages();
        return session.decode(record.bytes(), from, to, first, record.receivedMicros(), record.receivedMicros(), null);
    }

    private void sendEvents(Span span, DecodedBatch batch, RecordSender sender) {
        for (LaneName lane : LaneName.values()) {
            for (SessionRecord event : batch.records(lane)) {
                if (!span.sent(lane).contains(event)) {
                    sender.send(name(topic(lane)), batch.router(), event.json());
                }
            }
        }
    }

    private static StationTopic topic(LaneName lane) {
        return StationTopic.valueOf(lane.name());
    }

    private void sent(LaneName lane, ConsumerRecord<byte[], byte[]> record) {
        try {
            JsonNode event = JSON.readTree(record.value());
            Span span = spans.get(event.path("session_id").asLong());
            if (span != null) {
                span.sent(lane)
                        .add(
                                event.path("sequence").asLong(),
                                event.path("event").asText());
            }
        } catch (IOException e) {
            LOGGER.debugf("A record of %s is not JSON: %s", name(topic(lane)), e.getMessage());
        }
    }

    private static InetAddress address(RawRecord record) {
        try {
            return InetAddress.ofLiteral(record.routerAddress());
        } catch (IllegalArgumentException e) {
            return InetAddress.ofLiteral("0.0.0.0");
        }
    }

    /** Ends reading at a time. */
    private static final class Deadline implements RedecodeProgress {
        private final long end;

        private Deadline(Duration limit) {
            end = System.nanoTime() + limit.toNanos();
        }

        @Override
        public void begin(String pass, long records) {
            LOGGER.debugf("%s: %d records", pass, records);
        }

        @Override
        public void read(long records) {
            // Only the time counts.
        }

        @Override
        public boolean isInterrupted() {
            return System.nanoTime() - end > 0;
        }
    }
}
