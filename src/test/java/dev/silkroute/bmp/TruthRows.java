package dev.silkroute.bmp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.silkroute.bgp.AddPathFamilies;
import dev.silkroute.bgp.AddPathPolicy;
import dev.silkroute.bgp.DecodeOutcome;
import dev.silkroute.bgp.Notification;
import dev.silkroute.bgp.UpdateContext;
import dev.silkroute.bgp.attribute.AsPath;
import dev.silkroute.bgp.attribute.NextHop;
import dev.silkroute.bgp.attribute.PathAttributes;
import dev.silkroute.bgp.nlri.NlriFormat;
import dev.silkroute.bgp.nlri.NlriReader;
import dev.silkroute.bgp.open.Open;
import dev.silkroute.bgp.open.SessionCapabilities;
import dev.silkroute.bgp.update.UpdateDecoder;
import dev.silkroute.net.Addresses;
import dev.silkroute.net.BigEndian;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Bytes;
import dev.silkroute.net.Family;
import dev.silkroute.net.Hex;
import dev.silkroute.net.RouteDistinguisher;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Decodes a session with our code and describes it in the format of the captures' truth. One instance per session. */
final class TruthRows {
    private static final ObjectMapper JSON = new ObjectMapper();
    /** Attributes that the truth has as fields, or not at all. */
    private static final Set<Integer> FIELDS = Set.of(1, 2, 3, 4, 5, 8, 14, 15, 16, 17, 32);

    private final PerPeerHeader header = new PerPeerHeader();
    private final UpdateDecoder decoder = new UpdateDecoder();
    private final NlriReader nlri = new NlriReader();
    private final ByteSink sink = new ByteSink();
    private final Map<String, SessionCapabilities> peers = new HashMap<>();
    private final Map<String, UpdateContext> contexts = new HashMap<>();
    private final Map<DecodeOutcome.Kind, Integer> outcomes = new EnumMap<>(DecodeOutcome.Kind.class);

    Map<DecodeOutcome.Kind, Integer> outcomes() {
        return outcomes;
    }

    /** The rows of one whole message. */
    List<ObjectNode> decode(byte[] b, int from, int to) {
        MessageType type = MessageType.of(BmpMessages.type(b, from));
        if (type == null) {
            return List.of(JSON.createObjectNode().put("type", "type" + BmpMessages.type(b, from)));
        }
        ObjectNode row = JSON.createObjectNode();
        int body = from + BmpMessages.COMMON_HEADER_LENGTH;
        if (type.hasPerPeerHeader()) {
            header.read(b, body, to);
            peer(row);
            body += PerPeerHeader.LENGTH;
        }
        return switch (type) {
            case ROUTE_MONITORING -> routes(row.put("type", "route_monitoring"), b, body, to);
            case STATISTICS_REPORT ->
                List.of(statistics(row, StatisticsReport.decode(b, body, to, BmpMessages.VERSION)));
            case PEER_DOWN -> List.of(peerDown(row, PeerDown.decode(b, body, to, BmpMessages.VERSION)));
            case PEER_UP -> List.of(peerUp(row, PeerUp.decode(b, body, to, header.ipv6(), BmpMessages.VERSION)));
            case INITIATION ->
                List.of(information(row, "initiation", InformationTlvs.decode(b, body, to, BmpMessages.VERSION)));
            case TERMINATION ->
                List.of(information(row, "termination", InformationTlvs.decode(b, body, to, BmpMessages.VERSION)));
            case ROUTE_MIRRORING -> List.of(mirror(row, b, RouteMirroring.decode(b, body, to, BmpMessages.VERSION)));
        };
    }

    private void peer(ObjectNode row) {
        row.put("peer_type", header.peerType());
        row.put("flags", header.flags());
        row.put(
                "rib",
                switch (header.view()) {
                    case ADJ_RIB_IN_PRE_POLICY -> "in-pre";
                    case ADJ_RIB_IN_POST_POLICY -> "in-post";
                    case ADJ_RIB_OUT_PRE_POLICY -> "out-pre";
                    case ADJ_RIB_OUT_POST_POLICY -> "out-post";
                    case LOC_RIB -> "loc";
                });
        row.put("pd", Hex.of(header.distinguisher()));
        row.put("peer", Addresses.text(header.ipv6(), header.addressHigh(), header.addressLow()));
        row.put("peer_as", Integer.toUnsignedLong(header.asn()));
        row.put("peer_id", Addresses.ipv4(header.bgpId()));
        long micros = header.routerTimeMicros();
        row.put("ts", String.format("%d.%06d", micros / 1_000_000, micros % 1_000_000));
    }

    private String key() {
        return header.peerType() + " " + Hex.of(header.distinguisher()) + " "
                + Addresses.text(header.ipv6(), header.addressHigh(), header.addressLow()) + " ";
    }

    private List<ObjectNode> routes(ObjectNode peer, byte[] b, int from, int to) {
        SessionCapabilities capabilities = peers.get(key());
        UpdateContext context = contexts.computeIfAbsent(
                key() + header.view(),
                key -> new UpdateContext(
                        true,
                        capabilities == null
                                ? AddPathFamilies.NONE
                                : capabilities.addPath(header.view().adjRibOut()),
                        AddPathPolicy.HEURISTIC));
        context.expectFourOctetAs(
                capabilities == null ? !header.legacyAsPath() : capabilities.fourOctetAs(header.legacyAsPath()));
        decoder.decode(b, from, to, context);
        if (decoder.departure() != null) {
            outcomes.merge(decoder.departure(), 1, Integer::sum);
        }
        for (DecodeOutcome outcome : decoder.outcomes()) {
            outcomes.merge(outcome.kind(), 1, Integer::sum);
        }
        List<ObjectNode> rows = new ArrayList<>();
        if (decoder.endOfRib()) {
            rows.add(peer.put("action", "eor")
                    .put("afi", Family.afi(decoder.endOfRibFamily()))
                    .put("safi", Family.safi(decoder.endOfRibFamily())));
        }
        for (int section = 0; section < decoder.sections(); section++) {
            section(peer, b, section, rows);
        }
        return rows.isEmpty() ? List.of(peer.put("action", "none")) : rows;
    }

    private void section(ObjectNode peer, byte[] b, int section, List<ObjectNode> rows) {
        boolean announces = decoder.announces(section);
        int family = decoder.family(section);
        boolean addPath = decoder.addPath(section);
        boolean withdrawn = !decoder.announcedForm(section);
        ObjectNode attributes = JSON.createObjectNode();
        if (announces) {
            sink.reset();
            decoder.writeAttributes(section, sink);
            attributes(attributes, PathAttributes.decode(sink.array(), 0, sink.position()));
        }
        int count = 0;
        for (int at = decoder.from(section); at < decoder.to(section); count++) {
            nlri.read(family, b, at, decoder.to(section), addPath, withdrawn);
            at = NlriFormat.end(family, b, at, decoder.to(section), addPath, withdrawn);
            ObjectNode row = peer.deepCopy();
            row.put("action", announces ? "announce" : "withdraw");
            row.put("afi", Family.afi(family)).put("safi", Family.safi(family));
            nlri(row, b, family, announces);
            row.setAll(attributes);
            rows.add(row);
        }
        if (count != decoder.count(section)) {
            throw new AssertionError(count + " NLRI read, " + decoder.count(section) + " counted");
        }
    }

    private void nlri(ObjectNode row, byte[] b, int family, boolean announces) {
        if (nlri.hasPathId()) {
            row.put("path_id", Integer.toUnsignedLong(nlri.pathId()));
        }
        if (!nlri.isPrefix()) {
            row.put("nlri", Hex.of(b, nlri.from(), nlri.to()));
            return;
        }
        row.put("prefix", Addresses.prefix(nlri.ipv6(), nlri.addressHigh(), nlri.addressLow(), nlri.prefixLength()));
        if (nlri.hasRd()) {
            row.put("rd", RouteDistinguisher.text(nlri.rd()));
        }
        if (Family.safi(family) == 4 || Family.safi(family) == 128) {
            ArrayNode labels = JSON.createArrayNode();
            for (int i = 0; i < nlri.labelCount(); i++) {
                labels.add(nlri.label(i));
            }
            row.set("labels", announces ? labels : JSON.nullNode());
        }
    }

    private static void attributes(ObjectNode row, PathAttributes set) {
        if (set.origin() != null) {
            row.put("origin", set.origin().text());
        }
        AsPath path = set.asPath();
        if (path != null) {
            row.put("as_path", path.text());
        }
        NextHop nextHop = set.nextHop();
        if (nextHop != null) {
            row.put("next_hop", nextHop.text() + (nextHop.hasLinkLocal() ? "," + nextHop.linkLocalText() : ""));
        } else if (set.family().isPresent()) {
            row.putNull("next_hop");
        }
        set.med().ifPresent(med -> row.put("med", med));
        set.localPref().ifPresent(preference -> row.put("local_pref", preference));
        put(row, "communities", set.communities());
        put(row, "large", set.largeCommunities());
        set.value(16).ifPresent(value -> put(row, "ext", chunks(value, 8)));
        ObjectNode other = JSON.createObjectNode();
        for (int type : set.types()) {
            if (!FIELDS.contains(type)) {
                other.put(Integer.toString(type), set.value(type).orElseThrow().hex());
            }
        }
        if (!other.isEmpty()) {
            row.set("other", other);
        }
    }

    private static List<String> chunks(Bytes value, int size) {
        List<String> out = new ArrayList<>();
        byte[] b = value.toArray();
        for (int i = 0; i < b.length; i += size) {
            out.add(Hex.of(b, i, i + size));
        }
        return out;
    }

    private static void put(ObjectNode row, String name, List<String> values) {
        if (!values.isEmpty()) {
            row.set(name, JSON.valueToTree(values));
        }
    }

    private ObjectNode peerUp(ObjectNode row, PeerUp up) {
        SessionCapabilities agreed = up.capabilities(header.peerType() == PerPeerHeader.LOC_RIB_INSTANCE);
        if (!agreed.equals(peers.put(key(), agreed))) {
            contexts.keySet().removeIf(context -> context.startsWith(key()));
        }
        row.put("type", "peer_up").put("local", up.localAddressText());
        row.put("lport", up.localPort()).put("rport", up.remotePort());
        row.set("sent", open(up.sent()));
        row.set("received", open(up.received()));
        row.set("tlvs", texts(up.tlvs()));
        return row;
    }

    private static JsonNode open(Open open) {
        ObjectNode row = JSON.createObjectNode();
        row.put("asn", Integer.toUnsignedLong(open.asn())).put("my_as", open.twoOctetAsn());
        row.put("hold", open.holdTime()).put("bgp_id", Addresses.ipv4(open.bgpId()));
        row.put("as4", open.has(65));
        ArrayNode families = row.putArray("mp");
        open.families().stream()
                .sorted()
                .forEach(family -> families.addArray().add(Family.afi(family)).add(Family.safi(family)));
        ArrayNode addPath = row.putArray("addpath");
        open.addPath()
                .forEach((family, mode) -> addPath.addArray()
                        .add(Family.afi(family))
                        .add(Family.safi(family))
                        .add(mode.ordinal()));
        Set<Integer> codes = new TreeSet<>();
        open.capabilities().forEach(capability -> codes.add(capability.code()));
        row.set("caps", JSON.valueToTree(codes));
        return row;
    }

    private static ArrayNode texts(List<Tlv> tlvs) {
        ArrayNode out = JSON.createArrayNode();
        tlvs.forEach(tlv -> out.addArray().add(tlv.type()).add(tlv.text()));
        return out;
    }

    private static ObjectNode peerDown(ObjectNode row, PeerDown down) {
        row.put("type", "peer_down").put("reason", down.reasonCode());
        down.fsmEvent().ifPresent(event -> row.put("fsm_event", event));
        Notification notification = down.notification();
        if (notification != null) {
            row.put("notification", notification.code() + "/" + notification.subcode());
        }
        if (down.reasonCode() == 6) {
            row.put("tlv", down.data().hex());
        }
        return row;
    }

    private static ObjectNode statistics(ObjectNode row, StatisticsReport report) {
        ArrayNode counters = row.put("type", "stats").putArray("counters");
        for (Statistic one : report.statistics()) {
            ArrayNode counter = counters.addArray().add(one.type());
            if (one.afi() != null) {
                counter.add(one.afi() + "/" + one.safi());
            }
            counter.add(one.value());
        }
        return row;
    }

    private static ObjectNode information(ObjectNode row, String type, InformationTlvs information) {
        ArrayNode tlvs = row.put("type", type).putArray("tlvs");
        for (Tlv tlv : information.tlvs()) {
            ArrayNode out = tlvs.addArray().add(tlv.type());
            if (type.equals("initiation") || tlv.type() == 0) {
                out.add(tlv.text());
            } else {
                out.add(tlv.value().u16(0));
            }
        }
        return row;
    }

    private static ObjectNode mirror(ObjectNode row, byte[] b, RouteMirroring mirroring) {
        ArrayNode tlvs = row.put("type", "mirror").putArray("tlvs");
        for (RouteMirroring.Entry entry : mirroring.entries()) {
            int length = entry.to() - entry.from();
            tlvs.addArray()
                    .add(entry.type())
                    .add(
                            length <= 8
                                    ? Hex.of(b, entry.from(), entry.to())
                                    : length + " bytes, BGP type "
                                            + (length > 18 ? BigEndian.u8(b, entry.from() + 18) : -1));
        }
        return row;
    }
}
