package dev.silkroute.app.redecode;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.app.config.KafkaAccess;
import dev.silkroute.app.config.StationTopic;
import dev.silkroute.bmp.BmpMessages;
import dev.silkroute.fixture.TestKafka;
import dev.silkroute.fixture.TopicReader;
import dev.silkroute.load.LoadRouter;
import dev.silkroute.load.TestLoad;
import dev.silkroute.net.ByteSink;
import dev.silkroute.session.BmpSession;
import dev.silkroute.session.DecodedBatch;
import dev.silkroute.session.LaneName;
import dev.silkroute.session.Redecoder;
import dev.silkroute.session.SessionConfig;
import dev.silkroute.session.SessionRecord;
import dev.silkroute.session.identity.RouterIdentity;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a collector finds in Kafka after it was killed between {@code bmp.raw} and the lanes. */
class MissingSpansIT {
    private static final String COLLECTOR = "killed";
    private static final InetAddress ADDRESS = InetAddress.ofLiteral("192.0.2.7");
    private static final SessionConfig CONFIG = new SessionConfig(COLLECTOR, 100);
    /** So many reads were decoded, and the beginning of another one. */
    private static final int DECODED = 3;

    private static final int PARTITIONS = 2;
    private static final int MORE_PARTITIONS = 3;

    private final Map<StationTopic, String> topics = new EnumMap<>(StationTopic.class);
    private final long start = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());

    /** Peers, a table and changes of a router; each element is sent in one read. */
    private static List<byte[]> reads() {
        LoadRouter router = TestLoad.of(3, 2, 4).paths(1).changes(6).router();
        List<byte[]> reads = new ArrayList<>();
        ByteSink sink = new ByteSink();
        while (router.next(sink) > 0) {
            reads.add(sink.toByteArray());
            sink.reset();
        }
        return reads;
    }

    /** Messages that were decoded together: all of a read; of one read, the first message and then the others. */
    private record Portion(int read, DecodedBatch batch) {}

    /** Returns what comes of all, and the first portion that is missing, the second of its read. */
    private Map.Entry<List<Portion>, Integer> decode(List<byte[]> reads) {
        BmpSession session = new BmpSession(CONFIG, start, ADDRESS, RouterIdentity.configured("r1"));
        List<Portion> portions = new ArrayList<>();
        int missing = 0;
        for (int i = 0; i < reads.size(); i++) {
            byte[] read = reads.get(i);
            int first = BmpMessages.length(read, 0);
            boolean isApart = missing == 0 && i >= DECODED && first < read.length;
            if (isApart) {
                portions.add(new Portion(i, decode(session, read, 0, first, i)));
                missing = portions.size();
            }
            portions.add(new Portion(i, decode(session, read, isApart ? first : 0, read.length, i)));
        }
        return Map.entry(portions, missing);
    }

    private DecodedBatch decode(BmpSession session, byte[] read, int from, int to, int index) {
        return session.decode(read, from, to, session.messages(), start + index, start + index, null);
    }

    /**
     * Sends everything to bmp.raw, and what came of the first portions to the lanes.
     *
     * @param behind how far the clock was behind at the first reads
     */
    private void send(
            KafkaProducer<String, byte[]> producer, List<byte[]> reads, List<Portion> decoded, Duration behind)
            throws Exception {
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        long sequence = 0;
        for (int i = 0; i < reads.size(); i++) {
            sent.add(producer.send(raw(COLLECTOR, start, sequence, start + i, time(i, behind), reads.get(i))));
            sequence += Redecoder.messages(reads.get(i));
        }
        for (Portion portion : decoded) {
            long time = time(portion.read, behind);
            if (portion.batch.routes().length > 0) {
                sent.add(producer.send(record(StationTopic.ROUTES, time, portion.batch.routes())));
            }
            portion.batch
                    .records(LaneName.PEERS)
                    .forEach(event -> sent.add(producer.send(record(StationTopic.PEERS, time, event.json()))));
        }
        for (Future<RecordMetadata> each : sent) {
            each.get();
        }
    }

    /** Returns the time stamp of a read's records in Kafka. */
    private long time(int read, Duration behind) {
        return start / 1000 + read - (read < DECODED ? behind.toMillis() : 0);
    }

    private ProducerRecord<String, byte[]> record(StationTopic topic, long time, byte[] value) {
        return new ProducerRecord<>(topics.get(topic), null, time, "r1", value);
    }

    private ProducerRecord<String, byte[]> raw(
            String collector, long session, long message, long received, long time, byte[] bytes) {
        ProducerRecord<String, byte[]> raw = record(StationTopic.RAW, time, bytes);
        header(raw.headers(), "collector", collector);
        header(raw.headers(), "router", "r1");
        header(raw.headers(), "router_address", "192.0.2.7");
        header(raw.headers(), "session", Long.toString(session));
        header(raw.headers(), "sequence", Long.toString(message << 16));
        header(raw.headers(), "received", Long.toString(received));
        return raw;
    }

    private static void header(Headers headers, String name, String value) {
        headers.add(name, value.getBytes(StandardCharsets.UTF_8));
    }

    private int recover() {
        Map<String, Integer> partitions = new HashMap<>();
        topics.values().forEach(topic -> partitions.put(topic, PARTITIONS));
        return new MissingSpans(
                        new KafkaAccess(TestKafka.bootstrap(), Map.of()),
                        topics,
                        partitions,
                        CONFIG,
                        Duration.ofMinutes(1))
                .decode(start - 1);
    }

    private List<byte[]> read(StationTopic topic) {
        List<byte[]> records = new ArrayList<>();
        TopicReader.read(TestKafka.bootstrap(), topics.get(topic), record -> records.add(record.value()));
        return records;
    }

    /**
     * Session ids continue after those of a clock that was ahead, so records may have earlier time stamps.
     *
     * @param minutesAhead how far the clock of another collector was ahead when the router was connected to it: all
     *     records since then are found, although later ones have earlier time stamps
     */
    @ParameterizedTest
    @CsvSource({"0,0", "10,0", "1,10"})
    void givenMessagesThatWereNotDecodedWhenTheCollectorStartsThenItSendsWhatComesOfThemOnce(
            int minutesBehind, int minutesAhead) throws Exception {
        for (StationTopic topic : StationTopic.values()) {
            topics.put(topic, topic.defaultName() + "-missing-" + minutesBehind);
        }
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", TestKafka.bootstrap()))) {
            admin.createTopics(topics.values().stream()
                            .map(name -> new NewTopic(name, PARTITIONS, (short) 1))
                            .toList())
                    .all()
                    .get();
        }
        List<byte[]> reads = reads();
        Map.Entry<List<Portion>, Integer> decoded = decode(reads);
        List<DecodedBatch> batches =
                decoded.getKey().stream().map(Portion::batch).toList();
        int missing = decoded.getValue();
        assertThat(batches.subList(missing - 1, missing + 1)).allMatch(batch -> batch.routes().length > 0);
        try (KafkaProducer<String, byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", TestKafka.bootstrap()),
                new StringSerializer(),
                new ByteArraySerializer())) {
            if (minutesAhead > 0) {
                long ahead = start / 1000 + TimeUnit.MINUTES.toMillis(minutesAhead);
                producer.send(raw("another", start - 1, 0, start - 1, ahead, reads.getFirst()))
                        .get();
            }
            send(producer, reads, decoded.getKey().subList(0, missing), Duration.ofMinutes(minutesBehind));
        }
        List<byte[]> expected = batches.stream()
                .map(DecodedBatch::routes)
                .filter(routes -> routes.length > 0)
                .toList();
        assertThat(read(StationTopic.ROUTES)).hasSizeLessThan(expected.size());

        // Added partitions do not move the router
        byte[] router = "r1".getBytes(StandardCharsets.UTF_8);
        int partition = BuiltInPartitioner.partitionForKey(router, PARTITIONS);
        assertThat(BuiltInPartitioner.partitionForKey(router, MORE_PARTITIONS)).isNotEqualTo(partition);
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", TestKafka.bootstrap()))) {
            admin.createPartitions(Map.of(topics.get(StationTopic.ROUTES), NewPartitions.increaseTo(MORE_PARTITIONS)))
                    .all()
                    .get();
        }

        assertThat(recover()).isEqualTo(reads.size() - decoded.getKey().get(missing).read);

        TopicReader.read(
                TestKafka.bootstrap(),
                topics.get(StationTopic.ROUTES),
                record -> assertThat(record.partition()).isEqualTo(partition));

        assertThat(read(StationTopic.ROUTES)).containsExactlyElementsOf(expected);
        for (LaneName lane : List.of(LaneName.PEERS, LaneName.STATS)) {
            assertThat(read(StationTopic.valueOf(lane.name())))
                    .as("%s, of which some had been sent", lane)
                    .containsExactlyElementsOf(batches.stream()
                            .flatMap(batch -> batch.records(lane).stream())
                            .map(SessionRecord::json)
                            .toList());
        }

        assertThat(recover()).as("at the next start").isZero();
        assertThat(read(StationTopic.ROUTES)).hasSize(expected.size());
    }
}
