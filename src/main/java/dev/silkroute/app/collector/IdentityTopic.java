package dev.silkroute.app.collector;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.silkroute.app.config.KafkaAccess;
import dev.silkroute.app.config.OperatorError;
import dev.silkroute.collector.turns.NameClaims;
import dev.silkroute.collector.turns.NameClaims.Entry;
import dev.silkroute.net.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The topic {@code bmp.identities}, which all collectors read from its beginning and append to: the numbers of the
 * collectors ({@link CollectorNumbers}) with the times up to which their session ids are used, and the owners of
 * routers' names ({@link NameClaims}).
 */
final class IdentityTopic implements NameClaims.Log, AutoCloseable {
    private static final Logger LOGGER = Logger.getLogger(IdentityTopic.class);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String ROUTER = "router:";
    private static final String COLLECTOR = "collector:";
    private static final int PARTITION = 0;
    private static final long NONE = -1;
    private static final Duration START_LIMIT = Duration.ofSeconds(30);
    private static final int REQUEST_MILLIS = 10_000;
    private static final Duration START_POLL = Duration.ofMillis(100);
    private static final Duration POLL = Duration.ofSeconds(10);
    private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final TopicPartition partition;
    private final KafkaConsumer<String, byte[]> consumer;
    private final KafkaProducer<String, byte[]> producer;
    /** Sends, because the producer blocks while it does not know the topic's servers. */
    private final ScheduledExecutorService sending = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("identities-sender").factory());

    private final CollectorNumbers numbers = new CollectorNumbers();
    /** By collector, the time up to which its session ids are used, as recorded last. */
    private final Map<String, Long> usedUntil = new ConcurrentHashMap<>();

    private final NameClaims names;
    private int number;
    /** The name of this collector; empty until {@link #load}. */
    private volatile String own = "";

    private volatile LongSupplier newestOwn = () -> NONE;

    private @Nullable Thread reader;
    private volatile boolean closed;

    /** @param expiry see {@link NameClaims} */
    IdentityTopic(KafkaAccess kafka, String topic, long expiry) {
        partition = new TopicPartition(topic, PARTITION);
        names = new NameClaims(this, expiry);
        consumer = new KafkaConsumer<>(
                kafka.with(Map.of(
                        ConsumerConfig.CLIENT_ID_CONFIG,
                        "silkroute-identities",
                        ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                        false,
                        ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                        "earliest",
                        ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG,
                        (int) POLL.toMillis())),
                new StringDeserializer(),
                new ByteArrayDeserializer());
        producer = new KafkaProducer<>(
                kafka.with(Map.of(
                        ProducerConfig.CLIENT_ID_CONFIG,
                        "silkroute-identities",
                        ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG,
                        Integer.MAX_VALUE,
                        ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG,
                        REQUEST_MILLIS,
                        ProducerConfig.MAX_BLOCK_MS_CONFIG,
                        Integer.MAX_VALUE)),
                new StringSerializer(),
                new ByteArraySerializer());
    }

    NameClaims names() {
        return names;
    }

    /** Returns the number of this collector. */
    int number() {
        return number;
    }

    /**
     * Returns the time up to which earlier runs of this collector have used session ids, in milliseconds since 1970; -1
     * if none is recorded.
     */
    long usedUntil() {
        return usedUntil.getOrDefault(own, NONE);
    }

    /**
     * Records how far the session ids of this collector are used, now and from time to time.
     *
     * @param newest returns the time of the newest one, in milliseconds since 1970
     * @throws OperatorError if Kafka does not respond in time
     */
    void recordUse(LongSupplier newest) {
        newestOwn = newest;
        write(COLLECTOR + own, ownEntry(number, newest.getAsLong()));
    }

    /** Writes a record, waits until Kafka has it, for a limited time, and returns its offset. */
    private long write(String key, byte @Nullable [] value) {
        ProducerRecord<String, byte[]> entry = new ProducerRecord<>(partition.topic(), PARTITION, key, value);
        try {
            return sending.submit(() -> producer.send(entry)) // blocks while the topic's servers are unknown
                    .get(START_LIMIT.toSeconds(), TimeUnit.SECONDS)
                    .get(START_LIMIT.toSeconds(), TimeUnit.SECONDS)
                    .offset();
        } catch (ExecutionException | TimeoutException e) {
            throw new OperatorError(
                    "cannot write to Kafka topic " + partition.topic() + ": " + OperatorError.reason(e), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new OperatorError("interrupted", e);
        }
    }

    /**
     * Reads the topic to its end, and claims a number for this collector if it has none.
     *
     * @throws OperatorError if Kafka does not respond in time
     */
    void load(String collector) {
        long deadline = readToEnd();
        try {
            OptionalInt assigned = numbers.of(collector);
            while (assigned.isEmpty()) { // another collector may claim the same number at once
                long claim = write(COLLECTOR + collector, ownEntry(numbers.free(), newestOwn.getAsLong()));
                while (consumer.position(partition) <= claim) {
                    poll(deadline);
                }
                assigned = numbers.of(collector);
            }
            number = assigned.getAsInt();
            own = collector;
        } catch (KafkaException e) {
            throw unreadable(e);
        }
    }

    /** Reads the topic to its end, and returns the time until which reading may take. */
    private long readToEnd() {
        long deadline = System.nanoTime() + START_LIMIT.toNanos();
        try {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long end = end();
            while (consumer.position(partition) < end) {
                poll(deadline);
            }
            names.loaded();
            return deadline;
        } catch (KafkaException e) {
            throw unreadable(e);
        }
    }

    private OperatorError unreadable(KafkaException cause) {
        return new OperatorError(
                "cannot read Kafka topic " + partition.topic() + ": " + OperatorError.reason(cause), cause);
    }

    private static byte[] ownEntry(int number, long newest) {
        return Json.utf8(json -> {
            json.writeStartObject();
            json.writeNumberField("number", number);
            if (newest != NONE) {
                json.writeNumberField("newest_session_ms", newest);
            }
            json.writeEndObject();
        });
    }

    private long end() {
        return consumer.endOffsets(List.of(partition), START_LIMIT).getOrDefault(partition, 0L);
    }

    private void poll(long deadline) {
        consumer.poll(START_POLL).forEach(this::apply);
        if (System.nanoTime() - deadline > 0) {
            throw new OperatorError("cannot read Kafka topic " + partition.topic() + ": its end was not reached in "
                    + START_LIMIT.toSeconds() + " s");
        }
    }

    /**
     * Follows the topic on a thread of its own.
     *
     * @param interval between two ticks of the names
     * @param open supplies names and addresses of the open sessions
     */
    void follow(Duration interval, Supplier<Iterator<Map.Entry<String, InetAddress>>> open) {
        reader = Thread.ofPlatform().daemon().name("identities-reader").start(() -> run(interval.toNanos(), open));
    }

    private void run(long interval, Supplier<Iterator<Map.Entry<String, InetAddress>>> open) {
        long last = System.nanoTime();
        boolean failed = false;
        while (!closed) {
            try {
                long rest = Math.max(0, last + interval - System.nanoTime());
                consumer.poll(Duration.ofNanos(Math.min(POLL.toNanos(), rest))).forEach(this::apply);
                if (System.nanoTime() - last >= interval) {
                    end(); // fails while Kafka is unavailable: then no time passes for the names
                    names.tick(open.get());
                    if (!own.isEmpty()) {
                        // The topic may have been deleted, or have a retention
                        send(COLLECTOR + own, ownEntry(number, newestOwn.getAsLong()));
                    }
                    last = System.nanoTime();
                }
                failed = false;
            } catch (WakeupException e) {
                continue;
            } catch (KafkaException e) {
                if (!failed) {
                    LOGGER.warnf(
                            "Cannot read Kafka topic %s, new router names wait: %s",
                            partition.topic(), OperatorError.reason(e));
                }
                failed = true;
                LockSupport.parkNanos(RETRY_NANOS);
            }
        }
        closeConsumer();
    }

    /** Closes the consumer without waiting for the end of its fetch, which may take {@link #POLL}. */
    private void closeConsumer() {
        consumer.close(CloseOptions.timeout(Duration.ZERO));
    }

    private void apply(ConsumerRecord<String, byte[]> record) {
        String key = record.key();
        try {
            if (key == null) {
                throw new IOException("it has no key");
            }
            if (key.startsWith(ROUTER)) {
                names.apply(key.substring(ROUTER.length()), entry(record.value()), record.offset());
            } else if (key.startsWith(COLLECTOR) && record.value() != null) {
                String collector = key.substring(COLLECTOR.length());
                JsonNode entry = JSON.readTree(record.value());
                numbers.apply(collector, entry.path("number").asInt(-1));
                usedUntil.merge(collector, entry.path("newest_session_ms").asLong(NONE), Math::max);
            }
        } catch (IOException e) {
            LOGGER.warnf(
                    "Ignored record %d of Kafka topic %s: %s",
                    record.offset(), partition.topic(), OperatorError.reason(e));
        }
    }

    private static @Nullable Entry entry(byte @Nullable [] value) throws IOException {
        if (value == null) {
            return null;
        }
        JsonNode json = JSON.readTree(value);
        String address = json.path("address").asText();
        boolean assured = json.path("assured").asBoolean();
        return json.has("replaces")
                ? new Entry(address, assured, json.path("replaces").asLong())
                : Entry.confirmed(address, assured);
    }

    @Override
    public void append(String name, Entry entry) {
        send(ROUTER + name, Json.utf8(json -> {
            json.writeStartObject();
            json.writeStringField("address", entry.address());
            json.writeBooleanField("assured", entry.assured());
            if (entry.isClaim()) {
                json.writeNumberField("replaces", entry.replaces());
            }
            json.writeEndObject();
        }));
    }

    private void send(String key, byte[] value) {
        if (!closed) {
            sending.execute(() ->
                    producer.send(new ProducerRecord<>(partition.topic(), PARTITION, key, value), (_, failure) -> {
                        if (failure != null && !closed) {
                            LOGGER.warnf(
                                    "Cannot write %s to Kafka topic %s, sessions that need it wait: %s",
                                    key, partition.topic(), OperatorError.reason(failure));
                            sendLater(key, value);
                        }
                    }));
        }
    }

    /** Repeats a failed attempt after a pause. */
    private void sendLater(String key, byte[] value) {
        try {
            sending.schedule(() -> send(key, value), RETRY_NANOS, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            LOGGER.debugf("%s is not written, because the collector stops", key);
        }
    }

    /**
     * Makes a name free, for any collector.
     *
     * @return whether the name had an owner
     * @throws OperatorError if Kafka does not respond in time
     */
    static boolean release(KafkaAccess kafka, String topic, String name) {
        try (IdentityTopic identities = new IdentityTopic(kafka, topic, Long.MAX_VALUE)) {
            identities.readToEnd();
            boolean hasOwner = identities.names.hasOwner(name);
            if (hasOwner) {
                identities.write(ROUTER + name, null);
            }
            return hasOwner;
        }
    }

    @Override
    public void close() {
        closed = true;
        sending.shutdownNow();
        producer.close(Duration.ZERO);
        Thread following = reader;
        if (following == null) {
            closeConsumer();
        } else {
            consumer.wakeup();
        }
    }
}
