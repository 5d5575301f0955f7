package dev.silkroute.app.station;

import static org.awaitility.Awaitility.await;

import java.time.Clock;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

class SlewedClientFactoryTest {
    @Test
    void producersTakeTheTimeFromTheGivenClock() {
        AtomicLong looks = new AtomicLong();
        SlewedTime time = new SlewedTime(Clock.systemUTC(), looks::incrementAndGet);
        Properties properties = new Properties();
        properties.put("bootstrap.servers", "127.0.0.1:1"); // no listener
        properties.put("key.serializer", ByteArraySerializer.class.getName());
        properties.put("value.serializer", ByteArraySerializer.class.getName());
        try (Producer<?, ?> producer = new SlewedClientFactory(time).getProducer(properties)) {
            long made = looks.get();
            await().until(() -> looks.get() > made); // by the thread that tries to connect
        }
    }
}
