package dev.silkroute.app.redecode;

import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * A record of {@code bmp.raw}: complete BMP messages of one session.
 *
 * @param position {@code topic-partition@offset}
 * @param routerAddress empty if the record has no such header
 * @param firstMessage the number of its first message within the session, from 0
 * @param receivedMicros when the station received it, in microseconds since 1970
 */
record RawRecord(
        String position,
        String collector,
        String router,
        String routerAddress,
        long session,
        long firstMessage,
        long receivedMicros,
        byte[] bytes) {
    /** Converts a Kafka record, or returns null if it does not have the headers of {@code bmp.raw}. */
    static @Nullable RawRecord of(ConsumerRecord<byte[], byte[]> record) {
        try {
            return new RawRecord(
                    record.topic() + "-" + record.partition() + "@" + record.offset(),
                    header(record, "collector"),
                    header(record, "router"),
                    header(record, "router_address"),
                    Long.parseLong(header(record, "session")),
                    Long.parseLong(header(record, "sequence")) >> 16,
                    Long.parseLong(header(record, "received")),
                    record.value() == null ? new byte[0] : record.value());
        } catch (NumberFormatException e) {
            return null;
        }
    }

    RawRecord withoutBytes() {
        return new RawRecord(
                position, collector, router, routerAddress, session, firstMessage, receivedMicros, new byte[0]);
    }

    private static String header(ConsumerRecord<byte[], byte[]> record, String name) {
        Header header = record.headers().lastHeader(name);
        return header == null || header.value() == null ? "" : new String(header.value(), StandardCharsets.UTF_8);
    }
}
