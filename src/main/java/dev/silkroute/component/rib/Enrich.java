package dev.silkroute.component.rib;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.silkroute.rib.Rib;
import dev.silkroute.rib.RouteCondition;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.camel.Exchange;
import org.apache.camel.Message;
import org.apache.camel.Processor;
import org.jspecify.annotations.Nullable;

/**
 * Adds to flow records what the routes of their addresses say. A body that is a map is enriched itself; JSON objects as text or bytes, one, several in
 * a list or one in each exchange of a batching consumer, become a list of JSON objects in bytes, in their order. What is no JSON object goes on as it is.
 */
final class Enrich implements Processor {
    private static final TypeReference<Map<String, Object>> OBJECT = new TypeReference<>() {};

    private final FlowRoutes routes;
    private final ObjectMapper json = new ObjectMapper();

    Enrich(Rib rib, RouteCondition condition, RibConfiguration configuration) {
        routes = new FlowRoutes(rib, condition, configuration);
    }

    /** A record as it came, and as a map; null where it is no JSON object. */
    private record Flow(Object given, @Nullable Map<String, Object> fields) {}

    @Override
    public void process(Exchange exchange) throws Exception {
        Message message = exchange.getMessage();
        Object body = message.getBody();
        List<Flow> flows = new ArrayList<>();
        if (body instanceof List<?> list) {
            for (Object element : list) {
                add(element instanceof Exchange each ? each.getMessage().getBody() : element, flows);
            }
        } else {
            add(body, flows);
        }
        routes.enrich(flows.stream()
                .map(Flow::fields)
                .filter(fields -> fields != null)
                .toList());
        message.setHeader(RibConstants.UNREAD, (int)
                flows.stream().filter(flow -> flow.fields == null).count());
        if (body instanceof Map) {
            return; // enriched in its place
        }
        List<Object> enriched = new ArrayList<>(flows.size());
        for (Flow flow : flows) {
            boolean kept = flow.fields == null || flow.given instanceof Map;
            enriched.add(kept ? flow.given : json.writeValueAsBytes(flow.fields));
        }
        message.setBody(enriched);
    }

    @SuppressWarnings("unchecked") // keys that are no texts are no fields of a flow record, and stay as they are
    private void add(@Nullable Object given, List<Flow> flows) {
        if (given == null) {
            return;
        }
        Map<String, Object> fields = null;
        if (given instanceof Map<?, ?> map) {
            fields = (Map<String, Object>) map;
        } else {
            try {
                fields = given instanceof byte[] bytes
                        ? json.readValue(bytes, OBJECT)
                        : json.readValue(String.valueOf(given), OBJECT);
            } catch (IOException e) {
                fields = null; // counted, and told in the header
            }
        }
        flows.add(new Flow(given, fields));
    }
}
