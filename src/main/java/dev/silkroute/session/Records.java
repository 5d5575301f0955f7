package dev.silkroute.session;

import dev.silkroute.bgp.FsmEvent;
import dev.silkroute.bgp.Notification;
import dev.silkroute.bgp.RibView;
import dev.silkroute.bgp.UpdateContext;
import dev.silkroute.bmp.InformationTlvs;
import dev.silkroute.bmp.MessageType;
import dev.silkroute.bmp.PeerDown;
import dev.silkroute.bmp.PeerUp;
import dev.silkroute.bmp.PerPeerHeader;
import dev.silkroute.bmp.RouteMirroring;
import dev.silkroute.bmp.Statistic;
import dev.silkroute.bmp.StatisticsReport;
import dev.silkroute.bmp.Tlv;
import dev.silkroute.net.Addresses;
import dev.silkroute.net.DecodeException;
import dev.silkroute.net.Hex;
import java.net.InetAddress;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes the records of the low-volume lanes for one batch: names and values as {@code docs/topics.md} lists them. Times are
 * ISO 8601 in UTC with microseconds.
 */
final class Records {
    private static final DateTimeFormatter MICROS =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    private final String collector;
    private final String router;
    private final InetAddress address;
    private final long sessionId;
    private final String receivedAt;

    Records(String collector, String router, InetAddress address, long sessionId, long receivedAtMicros) {
        this.collector = collector;
        this.router = router;
        this.address = address;
        this.sessionId = sessionId;
        receivedAt = time(receivedAtMicros);
    }

    static String time(long micros) {
        return MICROS.format(
                Instant.ofEpochSecond(Math.floorDiv(micros, 1_000_000L), Math.floorMod(micros, 1_000_000L) * 1000L));
    }

    private Map<String, Object> record(String event, long sequence) {
        Map<String, Object> record = new LinkedHashMap<>();
        record.put("event", event);
        record.put("collector", collector);
        record.put("router", router);
        record.put("router_address", address.getHostAddress());
        record.put("session_id", sessionId);
        record.put("sequence", sequence);
        record.put("received_at", receivedAt);
        return record;
    }

    private Map<String, Object> record(String event, PerPeerHeader header, long sequence) {
        Map<String, Object> record = record(event, sequence);
        identify(record, header, header.bgpId(), header.asn());
        return record;
    }

    private static void identify(Map<String, Object> record, PerPeerHeader header, int bgpId, int asn) {
        if (header.routerTimeMicros() != 0) {
            record.put("router_time", time(header.routerTimeMicros()));
        }
        record.put("peer_type", PerPeerHeader.peerTypeText(header.peerType()));
        record.put("peer_distinguisher", Hex.of(header.distinguisher()));
        record.put("peer_address", Addresses.text(header.ipv6(), header.addressHigh(), header.addressLow()));
        record.put("peer_asn", Integer.toUnsignedLong(asn));
        record.put("peer_bgp_id", Addresses.ipv4(bgpId));
        record.put("rib_view", header.view().text());
        if (header.filtered()) {
            record.put("filtered", true);
        }
    }

    Map<String, Object> session(String event, long sequence, @Nullable String reason) {
        Map<String, Object> record = record(event, sequence);
        if (reason != null) {
            record.put("reason", reason);
        }
        return record;
    }

    Map<String, Object> initiation(InformationTlvs information, long sequence) {
        Map<String, Object> record = record("initiation", sequence);
        information.sysName().ifPresent(name -> record.put("sys_name", name));
        information.sysDescr().ifPresent(text -> record.put("sys_descr", text));
        record.put("information", information.strings());
        putTlvs(record, information.othersOfInitiation());
        return record;
    }

    Map<String, Object> termination(InformationTlvs information, long sequence) {
        Map<String, Object> record = record("termination", sequence);
        information.reasonCode().ifPresent(code -> {
            record.put("reason_code", code);
            record.put("reason", InformationTlvs.reasonText(code));
        });
        record.put("information", information.strings());
        putTlvs(record, information.othersOfTermination());
        return record;
    }

    private static void putTlvs(Map<String, Object> record, List<Tlv> tlvs) {
        if (tlvs.isEmpty()) {
            return;
        }
        List<Map<String, Object>> texts = new ArrayList<>();
        for (Tlv tlv : tlvs) {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("type", tlv.type());
            if (tlv.enterprise() != null) {
                one.put("enterprise", tlv.enterprise());
            }
            one.put("value", tlv.value().hex());
            texts.add(one);
        }
        record.put("tlvs", texts);
    }

    private static void putTexts(Map<String, Object> record, String name, List<String> texts) {
        if (!texts.isEmpty()) {
            record.put(name, texts);
        }
    }

    Map<String, Object> peerUp(PerPeerHeader header, PeerUp up, MonitoredPeer peer, boolean repeated, long sequence) {
        Map<String, Object> record = record("peer-up", sequence);
        identify(record, header, peer.bgpId(), peer.asn());
        record.put("local_address", up.localAddressText());
        record.put("local_port", up.localPort());
        record.put("remote_port", up.remotePort());
        up.tableName().ifPresent(name -> record.put("table_name", name));
        if (repeated) {
            record.put("repeated", true);
        }
        putTexts(record, "information", up.strings());
        putTexts(record, "admin_labels", up.adminLabels());
        putTlvs(record, up.others());
        record.put("capabilities", new RawJson(up.capabilitiesJson(header.view() == RibView.LOC_RIB)));
        return record;
    }

    Map<String, Object> peerDown(
            PerPeerHeader header,
            PeerDown down,
            @Nullable MonitoredPeer peer,
            boolean allViews,
            boolean repeated,
            long sequence) {
        Map<String, Object> record = record("peer-down", header, sequence);
        if (peer != null) {
            identify(record, header, peer.bgpId(), peer.asn());
        }
        record.put("all_views", allViews);
        record.put("known", peer != null);
        if (repeated) {
            record.put("repeated", true);
        }
        record.put("reason_code", down.reasonCode());
        record.put("reason", down.reasonText());
        record.put("data", down.data().hex());
        why(record, down);
        return record;
    }

    private static void why(Map<String, Object> record, PeerDown down) {
        Notification notification = down.notification();
        if (notification != null) {
            record.put("notification_code", notification.code());
            record.put("notification_subcode", notification.subcode());
            record.put("notification", notification.text());
            notification.shutdownCommunication().ifPresent(text -> record.put("communication", text));
        }
        down.fsmEvent().ifPresent(event -> {
            record.put("fsm_event", event);
            record.put("fsm_event_name", FsmEvent.text(event));
        });
        down.tableName().ifPresent(name -> record.put("table_name", name));
        putTlvs(
                record,
                down.tlvs().stream().filter(tlv -> !tlv.is(PeerDown.TABLE_NAME)).toList());
    }

    /** The peer's UPDATEs are decoded in another way than its OPENs say. */
    Map<String, Object> decodeMismatch(PerPeerHeader header, UpdateContext context, long sequence) {
        Map<String, Object> record = record("decode-mismatch", header, sequence);
        record.put("decode", new RawJson(context.toJson()));
        return record;
    }

    /** The peer's first route came without a Peer Up. */
    Map<String, Object> unannounced(PerPeerHeader header, long sequence) {
        return record("peer-unannounced", header, sequence);
    }

    Map<String, Object> statistics(PerPeerHeader header, StatisticsReport report, long sequence) {
        List<Map<String, @Nullable Object>> statistics = new ArrayList<>();
        for (Statistic statistic : report.statistics()) {
            Map<String, @Nullable Object> one = new LinkedHashMap<>();
            one.put("type", statistic.type());
            if (statistic.enterprise() != null) {
                one.put("enterprise", statistic.enterprise());
            }
            one.put("name", statistic.name());
            one.put("afi", statistic.afi());
            one.put("safi", statistic.safi());
            Long value = statistic.value();
            one.put("value", value == null ? null : Long.toUnsignedString(value));
            one.put("raw", statistic.rawHex());
            statistics.add(one);
        }
        Map<String, Object> record = record("statistics", header, sequence);
        record.put("statistics", statistics);
        return record;
    }

    /** @param said what is to be said of each entry besides */
    Map<String, Object> mirror(
            PerPeerHeader header,
            RouteMirroring mirroring,
            List<Map<String, Object>> said,
            byte[] bytes,
            long sequence) {
        List<Map<String, @Nullable Object>> messages = new ArrayList<>();
        for (RouteMirroring.Entry item : mirroring.entries()) {
            Map<String, Object> decoded = said.get(messages.size());
            Map<String, @Nullable Object> one = new LinkedHashMap<>();
            one.put("type", item.type());
            one.put("name", item.name());
            one.put("bytes", base64(bytes, item.from(), item.to()));
            if (!decoded.isEmpty()) {
                one.put("decoded", decoded);
            }
            messages.add(one);
        }
        Map<String, Object> record = record("mirror", header, sequence);
        record.put("messages_lost", mirroring.messagesLost());
        record.put("messages", messages);
        return record;
    }

    Map<String, Object> quarantine(
            @Nullable PerPeerHeader header,
            MessageType type,
            DecodeException why,
            byte[] bytes,
            int from,
            int to,
            long sequence) {
        Map<String, Object> record =
                header == null ? record("quarantine", sequence) : record("quarantine", header, sequence);
        record.put("message_type", type.text());
        record.put("offset", why.offset() - from);
        record.put("reason", why.reason());
        record.put("section", why.section());
        record.put("bytes", base64(bytes, from, to));
        return record;
    }

    private static String base64(byte[] bytes, int from, int to) {
        return Base64.getEncoder().encodeToString(Arrays.copyOfRange(bytes, from, to));
    }
}
