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
 * Adds the routes of their addresses to flow records. A body that is a map is changed in place. JSON objects as strings
 * or bytes (one, a list, or one in each exchange of a batching consumer) become a list of JSON objects as bytes, in
 * their order.
 *
 * <p>A record that is not a JSON object is passed on unchanged; with {@code strict} it is left out and reported in a
 * header, and so is a record with an invalid address. An enriched record that exceeds {@code maxBytes} is replaced by
 * the original one, or left out, because Kafka would reject it and a route that retries until Kafka has everything
 * would never finish.
 */
final class Enrich implements Processor {
    private static final TypeReference<Map<String, Object>> OBJECT = new TypeReference<>() {};

    private final FlowRoutes routes;
    private final RibOffsets offsets;
    private final boolean strict;
    private final int maxBytes;
    private final OversizedLog oversized;
    /** Keeps numbers as they are: doubles would lose digits, or become infinite. */
    private final ObjectMapper json = new ObjectMapper()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS, DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

    Enrich(Rib rib, RouteCondition condition, RibConfiguration configuration) {
        routes = new FlowRoutes(rib, condition, configuration);
        offsets = configuration.getOffsets() == null ? RibOffsets.NONE : configuration.getOffsets();
        strict = configuration.isStrict();
        maxBytes = configuration.getMaxBytes();
        oversized = new OversizedLog(maxBytes, System::nanoTime);
    }

    /**
     * A record as received.
     *
     * @param fields its fields, or null if it is not a JSON object
     * @param error why it is left out, or null
     */
    private record Flow(
            Object given,
            @Nullable Map<String, Object> fields,
            @Nullable String error) {}

    @Override
    public void process(Exchange exchange) throws Exception {
        if (!offsets.ready()) {
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
        int unparsed = 0;
        for (Flow flow : flows) {
            unparsed += flow.fields == null ? 1 : 0;
            if (flow.error == null && flow.fields != null) {
                objects.add(flow.fields);
            }
        }
        routes.enrich(objects);
        message.setHeader(RibConstants.UNPARSED, unparsed);
        List<Object> enriched = write(flows, message);
        if (!(body instanceof Map)) { // a map has been enriched in place
            message.setBody(enriched);
        }
    }

    /** Returns the records to pass on, and sets the headers about the others. */
    private List<Object> write(List<Flow> flows, Message message) throws JsonProcessingException {
        List<Object> enriched = new ArrayList<>(flows.size());
        List<RibRejection> rejections = new ArrayList<>();
        int tooLarge = 0;
        int leftOut = 0;
        for (int i = 0; i < flows.size(); i++) {
            Flow flow = flows.get(i);
            if (flow.error != null) {
                rejections.add(new RibRejection(i, flow.error));
                continue;
            }
            boolean unchanged = flow.fields == null || flow.given instanceof Map;
            Object record = unchanged ? flow.given : json.writeValueAsBytes(flow.fields);
            if (fits(record)) {
                enriched.add(record);
                continue;
            }
            tooLarge++;
            if (strict) {
                rejections.add(new RibRejection(i, "larger than " + maxBytes + " bytes when enriched"));
            }
            if (!strict && fits(flow.given)) {
                enriched.add(flow.given);
            } else {
                leftOut++;
            }
        }
        if (strict) {
            message.setHeader(RibConstants.REJECTIONS, rejections);
        }
        if (tooLarge > 0) {
            message.setHeader(RibConstants.OVERSIZED, tooLarge);
            oversized.add(tooLarge - leftOut, leftOut);
        }
        return enriched;
    }

    /**
     * Returns whether Kafka takes a record. Objects other than bytes and strings have to be converted by the route
     * first.
     */
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
            flows.add(new Flow(given, fields, strict ? routes.invalidField(fields) : null));
        } catch (IOException e) {
            flows.add(new Flow(given, null, strict ? reason(given) : null)); // reported in headers
        }
    }

    @SuppressWarnings("unchecked") // keys other than strings are not fields of a flow record and stay as they are
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
            return "not a JSON object but " + (kind.equals("missing") ? "empty" : "of type " + kind);
        } catch (JsonProcessingException e) {
            return "not JSON: " + e.getOriginalMessage() + " at character "
                    + e.getLocation().getColumnNr();
        }
    }
}
