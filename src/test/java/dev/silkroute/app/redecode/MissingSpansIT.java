package dev.silkroute.app.redecode;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.app.config.KafkaAccess;
import dev.silkroute.app.config.StationTopic;
import dev.silkroute.bgp.RibView;
import dev.silkroute.fixture.TestKafka;
import dev.silkroute.fixture.TopicReader;
import dev.silkroute.load.Churn;
import dev.silkroute.load.LoadPlan;
import dev.silkroute.load.LoadProfile;
import dev.silkroute.load.LoadRouter;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Family;
import dev.silkroute.session.BmpSession;
import dev.silkroute.session.DecodedBatch;
import dev.silkroute.session.LaneName;
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
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;

/** What a collector finds in Kafka after it was killed between {@code bmp.raw} and the lanes. */
class MissingSpansIT {
    private static final String COLLECTOR = "killed";
    private static final InetAddress ADDRESS = InetAddress.ofLiteral("192.0.2.7");
    private static final SessionConfig CONFIG = new SessionConfig(COLLECTOR, 100);
    private static final int DECODED = 5;

    private final Map<StationTopic, String> topics = new EnumMap<>(StationTopic.class);
    private final long start = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());

    /** Peers, a table and changes of a router; each element is sent in one read. */
    private static List<byte[]> reads() {
        LoadRouter router = new LoadPlan(new LoadProfile(
                        3,
                        1,
                        2,
                        4,
                        List.of(Family.IPV4_UNICAST),
                        EnumSet.of(RibView.ADJ_RIB_IN_PRE_POLICY),
                        1,
                        Churn.STEADY,
                        6,
                        false))
                .router(0);
        List<byte[]> reads = new ArrayList<>();
        ByteSink sink = new ByteSink();
        while (router.next(sink) > 0) {
            reads.add(sink.toByteArray());
            sink.reset();
        }
        return reads;
    }

    /** Sends everything to bmp.raw, and what came of the first reads to the lanes. Returns what comes of all. */
    private List<DecodedBatch> run(KafkaProducer<String, byte[]> producer, List<byte[]> reads) {
        BmpSession session = new BmpSession(CONFIG, start, ADDRESS, RouterIdentity.configured("r1"));
        List<DecodedBatch> batches = new ArrayList<>();
        for (byte[] read : reads) {
            long first = session.messages();
            long received = start + batches.size();
            ProducerRecord<String, byte[]> raw = new ProducerRecord<>(topics.get(StationTopic.RAW), "r1", read);
            header(raw.headers(), "collector", COLLECTOR);
            header(raw.headers(), "router", "r1");
            header(raw.headers(), "router_address", "192.0.2.7");
            header(raw.headers(), "session", Long.toString(start));
            header(raw.headers(), "sequence", Long.toString(first << 16));
            header(raw.headers(), "received", Long.toString(received));
            producer.send(raw);
            DecodedBatch batch = session.decode(read, first, received, null);
            batches.add(batch);
            if (batches.size() <= DECODED && batch.routes().length > 0) {
                producer.send(new ProducerRecord<>(topics.get(StationTopic.ROUTES), "r1", batch.routes()));
            }
            if (batches.size() <= DECODED) {
                batch.records(LaneName.PEERS)
                        .forEach(record -> producer.send(
                                new ProducerRecord<>(topics.get(StationTopic.PEERS), "r1", record.json())));
            }
        }
        producer.flush();
        return batches;
    }

    private static void header(Headers headers, String name, String value) {
        headers.add(name, value.getBytes(StandardCharsets.UTF_8));
    }

    private int recover() {
        return new MissingSpans(new KafkaAccess(TestKafka.bootstrap(), Map.of()), topics, CONFIG, Duration.ofMinutes(1))
                .decode(start - 1);
    }

    private List<byte[]> read(StationTopic topic) {
        List<byte[]> records = new ArrayList<>();
        TopicReader.read(TestKafka.bootstrap(), topics.get(topic), record -> records.add(record.value()));
        return records;
    }

    @Test
    void givenMessagesThatWereNotDecodedWhenTheCollectorStartsThenItSendsWhatComesOfThemOnce() throws Exception {
        for (StationTopic topic : StationTopic.values()) {
            topics.put(topic, topic.defaultName() + "-missing");
        }
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", TestKafka.bootstrap()))) {
            admin.createTopics(topics.values().stream()
                            .map(name -> new NewTopic(name, 2, (short) 1))
                            .toList())
                    .all()
                    .get();
        }
        List<DecodedBatch> batches;
        try (KafkaProducer<String, byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", TestKafka.bootstrap()),
                new StringSerializer(),
                new ByteArraySerializer())) {
            batches = run(producer, reads());
        }
        List<byte[]> expected = batches.stream()
                .map(DecodedBatch::routes)
                .filter(routes -> routes.length > 0)
                .toList();
        assertThat(read(StationTopic.ROUTES)).hasSizeLessThan(expected.size());

        assertThat(recover()).isEqualTo(batches.size() - DECODED);

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
