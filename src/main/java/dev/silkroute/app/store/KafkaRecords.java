package dev.silkroute.app.store;

import dev.silkroute.postgres.LaneRecord;
import java.util.ArrayList;
import java.util.List;
import org.apache.camel.Exchange;
import org.apache.camel.Message;
import org.apache.camel.component.kafka.KafkaConstants;

/** The records of a batching Kafka consumer's exchange: its body is a list of exchanges, one a record. */
final class KafkaRecords {
    private KafkaRecords() {}

    /** Those that are to be stored, in their order. */
    static List<LaneRecord> of(Exchange batch) {
        List<?> body = batch.getMessage().getBody(List.class);
        List<LaneRecord> records = new ArrayList<>(body.size());
        for (Object element : body) {
            Message message = ((Exchange) element).getMessage();
            Object position = message.getHeader(KafkaConstants.MANUAL_COMMIT);
            if (!(position instanceof LanePositions.Position polled) || polled.toStore()) {
                byte[] value = message.getBody(byte[].class);
                records.add(new LaneRecord(place(message), value == null ? new byte[0] : value));
            }
        }
        return records;
    }

    private static String place(Message message) {
        return message.getHeader(KafkaConstants.TOPIC) + "-" + message.getHeader(KafkaConstants.PARTITION) + "@"
                + message.getHeader(KafkaConstants.OFFSET);
    }
}
