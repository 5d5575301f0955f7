package dev.silkroute.app.redecode;

import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/** A record of {@code bmp.raw}: whole BMP messages of one session, with what the headers say of them. */
final class RawRecord {
    private final String place;
    private final String collector;
    private final String router;
    private final String routerAddress;
    private final long session;
    private final long firstMessage;
    private final long receivedMicros;
    private final byte[] bytes;

    private RawRecord(ConsumerRecord<byte[], byte[]> record) {
        place = record.topic() + "-" + record.partition() + "@" + record.offset();
        collector = text(record, "collector");
        router = text(record, "router");
        routerAddress = text(record, "router_address");
        session = Long.parseLong(text(record, "session"));
        firstMessage = Long.parseLong(text(record, "sequence")) >> 16;
        receivedMicros = Long.parseLong(text(record, "received"));
        bytes = record.value() == null ? new byte[0] : record.value();
    }

    /** Null for a record that somebody else has put there. */
    static @Nullable RawRecord of(ConsumerRecord<byte[], byte[]> record) {
        try {
            return new RawRecord(record);
        } catch (NumberFormatException e) {
            return null;
        }
    }

    private static String text(ConsumerRecord<byte[], byte[]> record, String name) {
        Header header = record.headers().lastHeader(name);
        return header == null || header.value() == null ? "" : new String(header.value(), StandardCharsets.UTF_8);
    }

    /** {@code topic-partition@offset}. */
    String place() {
        return place;
    }

    String collector() {
        return collector;
    }

    String router() {
        return router;
    }

    /** Empty in records of stations that didn't say it yet. */
    String routerAddress() {
        return routerAddress;
    }

    long session() {
        return session;
    }

    long firstMessage() {
        return firstMessage;
    }

    long receivedMicros() {
        return receivedMicros;
    }

    byte[] bytes() {
        return bytes;
    }
}
