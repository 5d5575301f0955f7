package dev.silkroute.component.bmp;

import org.apache.camel.CamelContext;
import org.apache.camel.Message;
import org.apache.camel.component.kafka.KafkaConstants;
import org.apache.camel.support.DefaultMessage;

/** Creates messages that become Kafka records of lanes. */
final class LaneMessage {
    /** The header with the name of the message's lane. */
    static final String LANE = "lane";

    private LaneMessage() {}

    /**
     * @param key the key of the message's Kafka record
     * @return a message with the headers lane and key
     */
    static Message of(CamelContext camel, String lane, String key, Object body) {
        Message message = keyed(camel, key, body);
        message.setHeader(LANE, lane);
        return message;
    }

    /** Returns a message with its own key: camel-kafka sends plain elements of a list without one, to any partition. */
    static Message keyed(CamelContext camel, String key, Object body) {
        Message message = new DefaultMessage(camel);
        message.setHeader(KafkaConstants.KEY, key);
        message.setBody(body);
        return message;
    }
}
