package dev.silkroute.endtoend;

import com.fasterxml.jackson.databind.JsonNode;
import dev.silkroute.bgp.attribute.PathAttributes;
import dev.silkroute.bgp.nlri.NlriText;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Family;
import java.net.InetAddress;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Formats a route as one line with every field, from the captures' expected values or from a row of the views, so that
 * both can be compared.
 */
public final class RouteText {
    private static final Map<String, String> VIEWS = Map.of(
            "in-pre", "adj-rib-in-pre",
            "in-post", "adj-rib-in-post",
            "out-pre", "adj-rib-out-pre",
            "out-post", "adj-rib-out-post",
            "loc", "loc-rib");
    private static final List<String> PEER_TYPES = List.of("global", "rd", "local", "loc-rib");

    /** The columns of v_rib and v_route_history that {@link #identity} and {@link #attributes} read. */
    public static final String COLUMNS = """
            rib_view, peer_type, peer_distinguisher, host(peer_address) AS peer, peer_asn, peer_bgp_id, afi, safi, rd, prefix::text AS prefix, nlri, labels, path_id,
            host(next_hop) || coalesce(',' || host(next_hop_link_local), '') AS next_hop, origin, as_path, med, local_pref, communities, large_communities, ext_communities,
            attributes::text AS attributes""";

    private RouteText() {}

    public static String identity(JsonNode truth) {
        return String.join(
                " ",
                VIEWS.get(truth.get("rib").asText()),
                PEER_TYPES.get(truth.get("peer_type").asInt()),
                address(truth.get("peer").asText()),
                truth.get("peer_as").asText(),
                truth.get("peer_id").asText(),
                truth.get("afi").asText() + "/" + truth.get("safi").asText(),
                text(truth, "rd"),
                destination(truth),
                "labels=" + texts(truth.path("labels")),
                "id=" + text(truth, "path_id"));
    }

    public static String identity(ResultSet row) throws SQLException {
        return String.join(
                " ",
                row.getString("rib_view"),
                row.getString("peer_type"),
                row.getString("peer"),
                row.getString("peer_asn"),
                row.getString("peer_bgp_id"),
                row.getString("afi") + "/" + row.getString("safi"),
                String.valueOf(row.getString("rd")),
                destination(row),
                labels(row.getArray("labels")),
                "id=" + row.getString("path_id"));
    }

    /** Returns the prefix, or the text of an NLRI that is not one. */
    static String destination(JsonNode truth) {
        return truth.hasNonNull("prefix") ? truth.get("prefix").asText() : nlriText(truth);
    }

    private static String destination(ResultSet row) throws SQLException {
        String prefix = row.getString("prefix");
        return prefix != null ? prefix : row.getString("nlri");
    }

    /** Returns the text of an NLRI that the expected values contain in hex. */
    private static String nlriText(JsonNode truth) {
        byte[] nlri = HexFormat.of().parseHex(truth.get("nlri").asText());
        int family = Family.of(truth.get("afi").asInt(), truth.get("safi").asInt());
        return NlriText.of(family, nlri, 0, nlri.length);
    }

    public static String attributes(JsonNode truth) {
        Map<String, String> fields = new TreeMap<>();
        fields.put(
                "next_hop",
                truth.hasNonNull("next_hop") ? address(truth.get("next_hop").asText()) : "null");
        fields.put("origin", text(truth, "origin"));
        fields.put("as_path", truth.path("as_path").asText(""));
        fields.put("med", text(truth, "med"));
        fields.put("local_pref", text(truth, "local_pref"));
        fields.put("communities", texts(truth.path("communities")).toString());
        fields.put("large", texts(truth.path("large")).toString());
        fields.put("ext", extendedCommunities(texts(truth.path("ext"))).toString());
        truth.path("other")
                .fields()
                .forEachRemaining(other -> fields.put(
                        "type " + other.getKey(),
                        other(Integer.parseInt(other.getKey()), other.getValue().asText())));
        return fields.toString();
    }

    public static String attributes(ResultSet row) throws SQLException {
        Map<String, String> fields = new TreeMap<>();
        fields.put("next_hop", String.valueOf(row.getString("next_hop")));
        fields.put("origin", String.valueOf(row.getString("origin")));
        fields.put("as_path", row.getString("as_path") == null ? "" : row.getString("as_path"));
        fields.put("med", String.valueOf(row.getString("med")));
        fields.put("local_pref", String.valueOf(row.getString("local_pref")));
        fields.put("communities", texts(row.getArray("communities")).toString());
        fields.put("large", texts(row.getArray("large_communities")).toString());
        fields.put("ext", texts(row.getArray("ext_communities")).toString());
        JsonNode json = CaptureFiles.parse(row.getString("attributes"));
        if (json.has("atomic_aggregate")) {
            fields.put("type 6", "true");
        }
        if (json.has("aggregator")) {
            fields.put(
                    "type 7",
                    json.at("/aggregator/asn").asText() + " "
                            + json.at("/aggregator/address").asText());
        }
        if (json.has("originator_id")) {
            fields.put("type 9", json.get("originator_id").asText());
        }
        if (json.has("cluster_list")) {
            fields.put("type 10", texts(json.get("cluster_list")).toString());
        }
        if (json.has("otc")) {
            fields.put("type 35", json.get("otc").asText());
        }
        if (json.has("pmsi_tunnel")) {
            fields.put("type 22", "pmsi " + json.at("/pmsi_tunnel/label").asText());
        }
        if (json.has("bgp_ls")) {
            StringBuilder hex = new StringBuilder();
            for (JsonNode tlv : json.get("bgp_ls")) {
                String value = tlv.get("value").asText();
                hex.append(String.format("%04x%04x", tlv.get("type").asInt(), value.length() / 2))
                        .append(value);
            }
            fields.put("type 29", hex.toString());
        }
        for (JsonNode unknown : json.path("unknown")) {
            fields.put(
                    "type " + unknown.get("type").asText(), unknown.get("value").asText());
        }
        return fields.toString();
    }

    /** Converts an attribute that the expected values contain in hex to the station's JSON. */
    private static String other(int type, String hex) {
        return switch (type) {
            case 6 -> "true";
            case 7 ->
                Long.parseLong(hex.substring(0, hex.length() - 8), 16) + " " + dotted(hex.substring(hex.length() - 8));
            case 9 -> dotted(hex);
            case 10 -> {
                List<String> ids = new ArrayList<>();
                for (int i = 0; i < hex.length(); i += 8) {
                    ids.add(dotted(hex.substring(i, i + 8)));
                }
                yield ids.toString();
            }
            // flags, tunnel type, then the label in the upper 20 of 24 bits
            case 22 -> "pmsi " + (Integer.parseInt(hex.substring(4, 10), 16) >>> 4);
            case 35 -> Long.toString(Long.parseLong(hex, 16));
            default -> hex;
        };
    }

    static List<String> extendedCommunities(List<String> hex) {
        if (hex.isEmpty()) {
            return List.of();
        }
        byte[] value = HexFormat.of().parseHex(String.join("", hex));
        ByteSink set = new ByteSink();
        set.u8(0xD0).u8(16).u16(value.length).bytes(value, 0, value.length);
        return PathAttributes.decode(set.array(), 0, set.position()).extendedCommunities();
    }

    private static String dotted(String hex) {
        byte[] b = HexFormat.of().parseHex(hex);
        return (b[0] & 255) + "." + (b[1] & 255) + "." + (b[2] & 255) + "." + (b[3] & 255);
    }

    /** PostgreSQL and the expected values write IPv6 addresses as RFC 5952 specifies. */
    private static String address(String text) {
        return text.indexOf(':') < 0 ? InetAddress.ofLiteral(text).getHostAddress() : text;
    }

    private static String text(JsonNode truth, String field) {
        return truth.hasNonNull(field) ? truth.get(field).asText() : "null";
    }

    static List<String> texts(JsonNode array) {
        List<String> texts = new ArrayList<>();
        array.forEach(one -> texts.add(one.asText()));
        return texts;
    }

    private static String labels(Array array) throws SQLException {
        return "labels=" + (array == null ? List.of() : Arrays.asList((Object[]) array.getArray()));
    }

    private static List<String> texts(Array array) throws SQLException {
        return array == null ? List.of() : Arrays.asList((String[]) array.getArray());
    }
}
