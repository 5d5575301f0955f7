package dev.silkroute.component.bmp;

import org.apache.camel.CamelContext;
import org.apache.camel.Message;
import org.apache.camel.component.kafka.KafkaConstants;
import org.apache.camel.support.DefaultMessage;

/** Creates messages for lanes. A route sends each to the Kafka topic that its header {@value #TOPIC} contains. */
public final class LaneMessage {
    /** The name of the message's lane. */
    public static final String LANE = "lane";

    /** The topic of the message's lane. {@code kafka:} does not copy headers with this prefix to its records. */
    public static final String TOPIC = "CamelBmpTopic";

    private LaneMessage() {}

    /**
     * @param key the key of the message's Kafka record
     * @return a message with the headers lane, topic and key
     */
    public static Message of(CamelContext camel, String lane, String key, Object body) {
        Message message = keyed(camel, key, body);
        message.setHeader(LANE, lane);
        message.setHeader(
                TOPIC, camel.resolvePropertyPlaceholders("{{silkroute.topic." + lane + ".name:bmp." + lane + "}}"));
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
