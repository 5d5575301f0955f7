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
 * is; if the endpoint is strict it is left out, and told of in a header, and so are records whose addresses are none. What Kafka wouldn't take goes
 * on as it came or not at all: a route that tries until Kafka has everything would try for ever.
 */
final class Enrich implements Processor {
    private static final TypeReference<Map<String, Object>> OBJECT = new TypeReference<>() {};

    private final FlowRoutes routes;
    private final RibPlaces places;
    private final boolean strict;
    private final int maxBytes;
    private final Oversized oversized;
    /** Numbers as they came: as doubles they would lose digits, and become Infinity where they are large. */
    private final ObjectMapper json = new ObjectMapper()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS, DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

    Enrich(Rib rib, RouteCondition condition, RibConfiguration configuration) {
        routes = new FlowRoutes(rib, condition, configuration);
        places = configuration.getPlaces() == null ? RibPlaces.NONE : configuration.getPlaces();
        strict = configuration.isStrict();
        maxBytes = configuration.getMaxBytes();
        oversized = new Oversized(maxBytes, System::nanoTime);
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
        int unread = 0;
        for (Flow flow : flows) {
            unread += flow.fields == null ? 1 : 0;
            if (flow.wrong == null && flow.fields != null) {
                objects.add(flow.fields);
            }
        }
        routes.enrich(objects);
        message.setHeader(RibConstants.UNREAD, unread);
        List<Object> enriched = written(flows, message);
        if (!(body instanceof Map)) { // which is enriched in its place
            message.setBody(enriched);
        }
    }

    /** The records as they go on; what is left out, and what is not enriched, is in headers. */
    private List<Object> written(List<Flow> flows, Message message) throws JsonProcessingException {
        List<Object> enriched = new ArrayList<>(flows.size());
        List<RibRefusal> refusals = new ArrayList<>();
        int tooLarge = 0;
        int leftOut = 0;
        for (int i = 0; i < flows.size(); i++) {
            Flow flow = flows.get(i);
            if (flow.wrong != null) {
                refusals.add(new RibRefusal(i, flow.wrong));
                continue;
            }
            boolean kept = flow.fields == null || flow.given instanceof Map;
            Object record = kept ? flow.given : json.writeValueAsBytes(flow.fields);
            if (fits(record)) {
                enriched.add(record);
                continue;
            }
            tooLarge++;
            if (strict) {
                refusals.add(
                        new RibRefusal(i, "with what is known of its routes it has more than " + maxBytes + " bytes"));
            }
            if (!strict && fits(flow.given)) {
                enriched.add(flow.given);
            } else {
                leftOut++;
            }
        }
        if (strict) {
            message.setHeader(RibConstants.REFUSALS, refusals);
        }
        if (tooLarge > 0) {
            message.setHeader(RibConstants.OVERSIZED, tooLarge);
            oversized.add(tooLarge - leftOut, leftOut);
        }
        return enriched;
    }

    /** Objects are nothing that Kafka takes as it is. */
    private boolean fits(Object record) {
        return switch (record) {
            case byte[] bytes -> bytes.length <= maxBytes;
            case String text ->
                text.length() <= maxBytes / 3 || text.getBytes(StandardCharsets.UTF_8).length <= maxBytes;
            default -> true;
        };
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
