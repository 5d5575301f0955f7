package dev.silkroute.perf.framing;

import dev.silkroute.bmp.FrameScanner;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/**
 * Reads a run's topic from its beginning and compares: each session's records, put together, must be the very bytes
 * that it sent, in order; each record must hold whole messages, have the headers of {@code bmp.raw} with the right
 * sequence.
 */
final class TopicCheck {
    private static final Set<String> HEADERS =
            Set.of("collector", "router", "router_address", "session", "sequence", "received");
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final Map<String, Expected> expected = new TreeMap<>();
    private final FrameScanner scanner = new FrameScanner();
    private long records;

    /** A session of this router, which sent head and body, and this so many times. */
    void expect(String router, byte[] head, byte[] body, int passes) {
        expected.put(router, new Expected(head, body, (long) passes * (head.length + body.length)));
    }

    /** Compares all there is; returns the number of records, or fails with what differs. */
    long run(String bootstrap, String topic) {
        try (var consumer =
                new KafkaConsumer<>(options(bootstrap), new StringDeserializer(), new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = IntStream.range(0, Broker.PARTITIONS)
                    .mapToObj(partition -> new TopicPartition(topic, partition))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            long deadline = System.nanoTime() + LIMIT.toNanos();
            while (!partitions.stream().allMatch(each -> consumer.position(each) >= ends.getOrDefault(each, 0L))) {
                if (System.nanoTime() > deadline) {
                    throw new IllegalStateException(topic + " could not be read to its end");
                }
                for (ConsumerRecord<String, byte[]> found : consumer.poll(Duration.ofMillis(200))) {
                    check(found);
                }
            }
        }
        expected.forEach((router, session) -> session.end(router));
        return records;
    }

    private void check(ConsumerRecord<String, byte[]> found) {
        records++;
        Expected session = expected.get(found.key());
        if (session == null) {
            throw new IllegalStateException("a record of " + found.key() + ", which sent nothing");
        }
        Set<String> names = new TreeSet<>();
        for (Header header : found.headers()) {
            names.add(header.key());
        }
        if (!names.equals(HEADERS) || !text(found, "router").equals(found.key())) {
            throw new IllegalStateException("headers of " + found.key() + ": " + found.headers());
        }
        scanner.scan(found.value(), 0, found.value().length);
        if (scanner.end() != found.value().length || scanner.messages() == 0) {
            throw new IllegalStateException("a record of " + found.key() + " is not of whole messages");
        }
        session.next(found.key(), text(found, "session"), Long.parseLong(text(found, "sequence")), found.value());
        session.messages += scanner.messages();
    }

    private static String text(ConsumerRecord<String, byte[]> found, String header) {
        return new String(found.headers().lastHeader(header).value(), StandardCharsets.UTF_8);
    }

    private static Map<String, Object> options(String bootstrap) {
        return Map.of(
                ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                bootstrap,
                ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG,
                8 << 20,
                ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
                50,
                ConsumerConfig.FETCH_MAX_BYTES_CONFIG,
                16 << 20,
                ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                false);
    }

    /** The progress of one session: how many of its bytes have been read back. */
    private static final class Expected {
        private final byte[] head;
        private final byte[] body;
        private final long length;
        private String session = "";
        private long at;
        private long messages;

        Expected(byte[] head, byte[] body, long length) {
            this.head = head;
            this.body = body;
            this.length = length;
        }

        void next(String router, String id, long sequence, byte[] bytes) {
            if (session.isEmpty()) {
                session = id;
            }
            if (!session.equals(id) || sequence != messages << 16) {
                throw new IllegalStateException("%s: session %s, sequence %d came where session %s, sequence %d was due"
                        .formatted(router, id, sequence, session, messages << 16));
            }
            for (int from = 0; from < bytes.length; ) {
                int phase = (int) (at % (head.length + body.length));
                byte[] part = phase < head.length ? head : body;
                int start = phase < head.length ? phase : phase - head.length;
                int same = Math.min(bytes.length - from, part.length - start);
                if (!Arrays.equals(bytes, from, from + same, part, start, start + same)) {
                    throw new IllegalStateException(router + ": other bytes than were sent, after " + at);
                }
                from += same;
                at += same;
            }
        }

        void end(String router) {
            if (at != length) {
                throw new IllegalStateException(router + ": sent " + length + " bytes, " + at + " came through");
            }
        }
    }
}
