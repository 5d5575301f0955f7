package dev.silkroute.component.rib;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.silkroute.rib.Rib;
import dev.silkroute.rib.RouteCondition;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.camel.Exchange;
import org.apache.camel.Message;
import org.apache.camel.Processor;
import org.jspecify.annotations.Nullable;

/**
 * Adds to flow records what the routes of their addresses say. A body that is a map is enriched itself; JSON objects as text or bytes, one, several in
 * a list or one in each exchange of a batching consumer, become a list of JSON objects in bytes, in their order. What is no JSON object goes on as it
 * is; if the endpoint is strict it is left out, and told of in a header, and so are records whose addresses are none.
 */
final class Enrich implements Processor {
    private static final TypeReference<Map<String, Object>> OBJECT = new TypeReference<>() {};

    private final FlowRoutes routes;
    private final RibPlaces places;
    private final boolean strict;
    /** Numbers as they came: as doubles they would lose digits, and become Infinity where they are large. */
    private final ObjectMapper json = new ObjectMapper()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS, DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

    Enrich(Rib rib, RouteCondition condition, RibConfiguration configuration) {
        routes = new FlowRoutes(rib, condition, configuration);
        places = configuration.getPlaces() == null ? RibPlaces.NONE : configuration.getPlaces();
        strict = configuration.isStrict();
    }

    /**
     * A record as it came, and as a map; null where it is no JSON object.
     *
     * @param wrong why it is left out, if it is
     */
    private record Flow(
            Object given,
            @Nullable Map<String, Object> fields,
            @Nullable String wrong) {}

    @Override
    public void process(Exchange exchange) throws Exception {
        if (!places.ready()) {
            throw new RibNotReady();
        }
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
        List<Map<String, Object>> objects = new ArrayList<>(flows.size());
        List<RibRefusal> refusals = new ArrayList<>();
        int unread = 0;
        for (int i = 0; i < flows.size(); i++) {
            Flow flow = flows.get(i);
            unread += flow.fields == null ? 1 : 0;
            if (flow.wrong != null) {
                refusals.add(new RibRefusal(i, flow.wrong));
            } else if (flow.fields != null) {
                objects.add(flow.fields);
            }
        }
        routes.enrich(objects);
        message.setHeader(RibConstants.UNREAD, unread);
        if (strict) {
            message.setHeader(RibConstants.REFUSALS, refusals);
        }
        if (body instanceof Map) {
            return; // enriched in its place
        }
        List<Object> enriched = new ArrayList<>(flows.size());
        for (Flow flow : flows) {
            if (flow.wrong == null) {
                boolean kept = flow.fields == null || flow.given instanceof Map;
                enriched.add(kept ? flow.given : json.writeValueAsBytes(flow.fields));
            }
        }
        message.setBody(enriched);
    }

    private void add(@Nullable Object given, List<Flow> flows) {
        if (given == null) {
            return;
        }
        try {
            Map<String, Object> fields = fields(given);
            flows.add(new Flow(given, fields, strict ? routes.wrong(fields) : null));
        } catch (IOException e) {
            flows.add(new Flow(given, null, strict ? reason(given) : null)); // counted, and told in a header
        }
    }

    @SuppressWarnings("unchecked") // keys that are no texts are no fields of a flow record, and stay as they are
    private Map<String, Object> fields(Object given) throws IOException {
        if (given instanceof Map<?, ?> map) {
            return (Map<String, Object>) map;
        }
        Map<String, Object> fields =
                given instanceof byte[] bytes ? json.readValue(bytes, OBJECT) : json.readValue(text(given), OBJECT);
        if (fields == null) {
            throw new IOException("null");
        }
        return fields;
    }

    private static String text(Object given) {
        return given instanceof byte[] bytes ? new String(bytes, StandardCharsets.UTF_8) : String.valueOf(given);
    }

    private String reason(Object given) {
        try {
            String kind = json.readTree(text(given)).getNodeType().name().toLowerCase(Locale.ROOT);
            return "it is no JSON object but " + (kind.equals("missing") ? "nothing" : "of the kind " + kind);
        } catch (JsonProcessingException e) {
            return "it is no JSON: " + e.getOriginalMessage() + " at character "
                    + e.getLocation().getColumnNr();
        }
    }
}
