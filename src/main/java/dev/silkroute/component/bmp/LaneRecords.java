package dev.silkroute.component.bmp;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.camel.CamelContext;
import org.apache.camel.Message;
import org.apache.camel.component.kafka.KafkaConstants;

/**
 * The body of an exchange that contains records of several lanes. A single {@code kafka:} endpoint sends them, because
 * the topic in the header of a message takes precedence over that of the endpoint. It removes the header when it sends
 * the message, so each iteration, such as that of a redelivery, creates the messages again.
 */
public final class LaneRecords implements Iterable<Message> {
    private final CamelContext camel;
    private final List<LaneRecord> records = new ArrayList<>();

    private record LaneRecord(String lane, String key, byte[] value) {}

    public LaneRecords(CamelContext camel) {
        this.camel = camel;
    }

    /** Adds a record. Its topic is {@code silkroute.topic.<lane>.name}, or {@code bmp.<lane>} without this setting. */
    public void add(String lane, String key, byte[] value) {
        records.add(new LaneRecord(lane, key, value));
    }

    @Override
    public Iterator<Message> iterator() {
        return records.stream().map(this::message).iterator();
    }

    private Message message(LaneRecord record) {
        Message message = LaneMessage.of(camel, record.lane, record.key, record.value);
        message.setHeader(
                KafkaConstants.OVERRIDE_TOPIC,
                camel.resolvePropertyPlaceholders(
                        "{{silkroute.topic." + record.lane + ".name:bmp." + record.lane + "}}"));
        return message;
    }
}
