package dev.silkroute.app.reconcile;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.silkroute.bgp.PathMarking;
import dev.silkroute.bgp.PeerType;
import dev.silkroute.bgp.RibView;
import dev.silkroute.digest.Position;
import dev.silkroute.digest.RouteHasher;
import dev.silkroute.digest.RouteState;
import dev.silkroute.digest.Sketch;
import dev.silkroute.digest.TableDigest;
import dev.silkroute.digest.TableName;
import dev.silkroute.digest.TableSource.Digests;
import dev.silkroute.digest.TableSource.Routes;
import dev.silkroute.net.Addresses;
import dev.silkroute.net.Family;
import dev.silkroute.net.Hex;
import dev.silkroute.net.Json;
import dev.silkroute.net.Timestamps;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.StreamSupport;

/** Writes and reads digests and routes as JSON, for the twin and for users. */
public final class DigestJson {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final HexFormat HEX = HexFormat.of();
    private static final long MICROS_PER_MILLI = 1_000;

    private DigestJson() {}

    /** Returns digests as a document. */
    public static String text(Digests digests, RouteHasher hasher) {
        return Json.string(json -> {
            json.writeStartObject();
            position("position", digests.position(), json);
            json.writeStringField("key", hasher.key().text());
            json.writeArrayFieldStart("data");
            for (TableDigest table : digests.tables()) {
                json.writeStartObject();
                json.writeStringField("table", Hex.of(hasher.table(table.name())));
                table(table.name(), table.peerAsn(), json);
                json.writeNumberField("routes", table.routes());
                json.writeStringField("digest", Hex.of(table.sum()));
                Sketch sketch = table.sketch();
                if (sketch != null) {
                    json.writeStringField("sketch", Base64.getEncoder().encodeToString(sketch.toBytes()));
                }
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeEndObject();
        });
    }

    /** Writes the fields that identify a table; they are named like the columns of {@code v_rib}. */
    public static void table(TableName name, long peerAsn, JsonGenerator json) throws IOException {
        json.writeStringField("router", name.router());
        json.writeStringField("peer_address", name.address());
        json.writeNumberField("peer_asn", peerAsn);
        json.writeStringField("peer_bgp_id", Addresses.ipv4(name.bgpId()));
        json.writeStringField("peer_type", PeerType.text(name.peerType()));
        json.writeStringField("peer_distinguisher", Hex.of(name.distinguisher()));
        json.writeStringField("rib_view", name.view().text());
        json.writeNumberField("afi", Family.afi(name.family()));
        json.writeNumberField("safi", Family.safi(name.family()));
        json.writeStringField("family", Family.text(name.family()));
    }

    /** Writes a position as an object. */
    public static void position(String field, Position position, JsonGenerator json) throws IOException {
        json.writeObjectFieldStart(field);
        if (position.lastUpdated().isPresent()) {
            json.writeStringField(
                    "last_updated", Timestamps.text(position.lastUpdated().getAsLong() * MICROS_PER_MILLI));
        }
        if (position.topicId() != null) {
            json.writeStringField("topic_id", position.topicId());
        }
        json.writeObjectFieldStart("offsets");
        for (int partition : position.offsets().keySet().stream().sorted().toList()) {
            json.writeNumberField(
                    Integer.toString(partition), position.offsets().getOrDefault(partition, 0L));
        }
        json.writeEndObject();
        json.writeEndObject();
    }

    /** Returns routes as a document. */
    public static String text(Routes routes) {
        return Json.string(json -> {
            json.writeStartObject();
            position("position", routes.position(), json);
            json.writeArrayFieldStart("data");
            for (RouteState route : routes.routes()) {
                json.writeStartObject();
                json.writeStringField("key", Hex.of(route.key()));
                json.writeStringField("digest", Hex.of(route.route()));
                json.writeStringField("nlri", route.nlri());
                if (route.pathId().isPresent()) {
                    json.writeNumberField("path_id", route.pathId().getAsLong());
                }
                if (route.labels().length > 0) {
                    json.writeArrayFieldStart("labels");
                    for (int label : route.labels()) {
                        json.writeNumber(label);
                    }
                    json.writeEndArray();
                }
                if (PathMarking.isMarked(route.marking())) {
                    json.writeNumberField("marking", route.marking());
                }
                json.writeStringField("attributes", HEX.formatHex(route.attributes()));
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeEndObject();
        });
    }

    /** @throws IOException if this is not a document of digests */
    static Digests digests(String text) throws IOException {
        JsonNode document = MAPPER.readTree(text);
        try {
            List<TableDigest> tables = new ArrayList<>();
            for (JsonNode table : required(document, "data")) {
                tables.add(new TableDigest(
                        name(table),
                        required(table, "peer_asn").longValue(),
                        required(table, "routes").longValue(),
                        hash(table, "digest"),
                        table.has("sketch") ? Sketch.of(Base64.getDecoder().decode(string(table, "sketch"))) : null));
            }
            return new Digests(position(document), tables);
        } catch (IllegalArgumentException | DateTimeException e) {
            throw invalid(e);
        }
    }

    /** @throws IOException if this is not a document of routes */
    static Routes routes(String text) throws IOException {
        JsonNode document = MAPPER.readTree(text);
        try {
            List<RouteState> routes = new ArrayList<>();
            for (JsonNode route : required(document, "data")) {
                JsonNode pathId = route.path("path_id");
                routes.add(new RouteState(
                        hash(route, "key"),
                        hash(route, "digest"),
                        string(route, "nlri"),
                        pathId.isMissingNode() ? OptionalLong.empty() : OptionalLong.of(pathId.longValue()),
                        StreamSupport.stream(route.path("labels").spliterator(), false)
                                .mapToInt(JsonNode::intValue)
                                .toArray(),
                        route.path("marking").asLong(PathMarking.NONE),
                        HEX.parseHex(string(route, "attributes"))));
            }
            return new Routes(position(document), routes);
        } catch (IllegalArgumentException | DateTimeException e) {
            throw invalid(e);
        }
    }

    private static IOException invalid(RuntimeException e) {
        return new IOException("the response is not a digest of tables: " + e.getMessage(), e);
    }

    private static TableName name(JsonNode table) {
        return new TableName(
                string(table, "router"),
                peerType(string(table, "peer_type")),
                hash(table, "peer_distinguisher"),
                string(table, "peer_address"),
                (int) Addresses.parseIpv4(string(table, "peer_bgp_id")),
                RibView.of(string(table, "rib_view")),
                Family.of(
                        required(table, "afi").intValue(),
                        required(table, "safi").intValue()));
    }

    private static int peerType(String text) {
        for (int type = 0; type <= 0xFF; type++) {
            if (PeerType.text(type).equals(text)) {
                return type;
            }
        }
        throw new IllegalArgumentException("'" + text + "' is not a peer type");
    }

    private static Position position(JsonNode document) {
        JsonNode position = required(document, "position");
        Map<Integer, Long> offsets = new HashMap<>();
        position.path("offsets")
                .properties()
                .forEach(offset -> offsets.put(
                        Integer.valueOf(offset.getKey()), offset.getValue().longValue()));
        return new Position(
                position.path("topic_id").textValue(),
                offsets,
                position.has("last_updated")
                        ? OptionalLong.of(
                                Instant.parse(string(position, "last_updated")).toEpochMilli())
                        : OptionalLong.empty());
    }

    private static long hash(JsonNode object, String field) {
        return HexFormat.fromHexDigitsToLong(string(object, field));
    }

    private static String string(JsonNode object, String field) {
        String text = required(object, field).textValue();
        if (text == null) {
            throw new IllegalArgumentException("the field " + field + " is not a string");
        }
        return text;
    }

    private static JsonNode required(JsonNode object, String field) {
        JsonNode value = object.get(field);
        if (value == null) {
            throw new IllegalArgumentException("the field " + field + " is missing");
        }
        return value;
    }
}
