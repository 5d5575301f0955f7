package dev.silkroute.app.store;

import dev.silkroute.bgp.RibView;
import dev.silkroute.fixture.TestKafka;
import dev.silkroute.fixture.TestPostgres;
import dev.silkroute.net.Family;
import dev.silkroute.postgres.TestBatch;
import dev.silkroute.route.PeerEntry;
import java.io.ByteArrayOutputStream;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/**
 * Tests that a writer stores highly compressed, repetitive records whose decompressed size exceeds its heap.
 */
class LaneHeapIT extends LaneHarness {
    private static final int RECORDS = 400;

    @Test
    void recordsThatAreLargeWhenTheyAreDecompressedAreStored() throws Exception {
        Map<String, Object> properties = new HashMap<>(kafka);
        properties.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4");
        properties.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, 2 << 20);
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer())) {
            for (int i = 0; i < RECORDS; i++) {
                producer.send(new ProducerRecord<>("bmp.routes" + suffix, 0, null, large(i)));
            }
        }
        Process writer =
                LaneProcess.start(suffix, TestKafka.bootstrap(), TestPostgres.url(database), "history.camel.yaml");
        try {
            awaitAnswer("SELECT count(*), count(DISTINCT prefix) FROM bmp.route_event", RECORDS + "|" + RECORDS);
        } finally {
            writer.destroyForcibly();
        }
    }

    /** One route with some sixteen unknown attributes of the maximum length. */
    private static byte[] large(int i) {
        ByteArrayOutputStream attributes = new ByteArrayOutputStream();
        for (int type = 200; type < 216; type++) {
            attributes.writeBytes(new byte[] {(byte) 0xD0, (byte) type, (byte) 0xFF, (byte) 0xFF});
            attributes.writeBytes(new byte[0xFFFF]);
        }
        PeerEntry peer = new PeerEntry(0, 0, false, 0, 0xC000020BL, 65_011, 0x0A00000B, RibView.ADJ_RIB_IN_PRE_POLICY);
        byte[] nlri = {24, 10, (byte) (i >> 8), (byte) i};
        return TestBatch.of("r1", 1, i)
                .announce(peer, Family.IPV4_UNICAST, nlri, false, attributes.toByteArray())
                .bytes();
    }
}
