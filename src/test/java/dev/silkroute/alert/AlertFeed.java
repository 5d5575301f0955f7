package dev.silkroute.alert;

import com.fasterxml.jackson.databind.JsonNode;
import dev.silkroute.alert.record.AlertRecord;
import dev.silkroute.alert.record.UndecodableMessage;
import dev.silkroute.alert.record.VantagePoint;
import dev.silkroute.bgp.NeighborRole;
import dev.silkroute.bgp.RibView;
import dev.silkroute.endtoend.CaptureFiles;
import dev.silkroute.net.Addresses;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Family;
import dev.silkroute.net.IpPrefix;
import dev.silkroute.rib.BatchFeed;
import dev.silkroute.route.EventKind;
import dev.silkroute.route.PeerEntry;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.rpki.VrpTable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Feeds an engine with the events of two routers with three peers each, one second after the other. */
final class AlertFeed {
    static final int VANTAGE_POINTS = 6;
    static final long START = 1_700_000_000_000_000L;
    private static final int PEERS = 3;
    private static final long SECOND = 1_000_000;

    final List<JsonNode> records = new ArrayList<>();
    final List<String> bytes = new ArrayList<>();
    /** All that the engine has received. */
    final List<RouteBatch> batches = new ArrayList<>();

    /** The VRPs in use, by the times from which on, in microseconds since 1970. */
    final TreeMap<Long, VrpTable> versions = new TreeMap<>();

    /** The roles of neighbors in the views after policy, by vantage point. */
    final Map<Integer, NeighborRole> roles = new HashMap<>();

    AlertEngine engine;
    QuarantineEngine quarantine;
    private final BatchFeed feed = new BatchFeed();
    private final long[] sessions = {1, 1};
    private long time = START;
    private long messages;

    AlertFeed(AlertRules rules, AlertSettings settings, VrpTable vrps) {
        engine = new AlertEngine(rules, settings, this::add);
        engine.useVrps(vrps);
        versions.put(START, vrps);
        quarantine = new QuarantineEngine(rules, settings, this::add);
    }

    static AlertSettings settings(int threshold, int loss) {
        return new AlertSettings(threshold, loss, 3600 * SECOND, 24 * 3600 * SECOND, 10_000, 100, 10_000);
    }

    void add(AlertRecord record) {
        String json = new String(record.json(), StandardCharsets.UTF_8);
        bytes.add(record.key() + " " + json);
        records.add(CaptureFiles.parse(json));
    }

    /** Returns the changes so far as texts such as {@code opened origin-change 192.0.2.0/24}, and forgets them. */
    List<String> changes() {
        List<String> changes = records.stream()
                .map(alert ->
                        alert.path("event").asText() + " " + alert.path("rule").asText() + " " + subject(alert))
                .toList();
        records.clear();
        return changes;
    }

    private static String subject(JsonNode alert) {
        if (alert.has("prefix")) {
            return alert.path("prefix").asText();
        }
        String router = alert.path("router").asText();
        String peer = alert.has("peer_address")
                ? router + " " + alert.path("peer_address").asText()
                : router;
        return alert.has("rib_view")
                ? peer + " " + alert.path("rib_view").asText() + " "
                        + alert.path("family").asText()
                : peer;
    }

    void pass(long seconds) {
        time += seconds * SECOND;
    }

    void passMillis(long milliseconds) {
        time += milliseconds * 1000;
    }

    /** Feeds an engine that has received nothing with the batches of another one, as they are read by a station. */
    void read(List<RouteBatch> inOrder) {
        for (RouteBatch batch : inOrder) {
            engine.passTo(batch.receivedAtMicros());
            engine.apply(batch);
        }
    }

    /** Lets time pass during which the engine receives nothing. */
    void silence(long seconds) {
        pass(seconds);
        engine.passTo(time);
        quarantine.passTo(time);
    }

    void peerUp(int vantagePoint) {
        apply(begin(vantagePoint).peerUp(peer(vantagePoint)));
    }

    static PeerEntry peer(int vantagePoint) {
        return BatchFeed.peer(vantagePoint % PEERS, RibView.ADJ_RIB_IN_PRE_POLICY);
    }

    /** Sends a message that cannot be decoded. */
    void undecodable(int vantagePoint) {
        time += SECOND;
        messages++;
        int router = vantagePoint / PEERS;
        PeerEntry peer = peer(vantagePoint);
        quarantine.apply(new UndecodableMessage(
                new VantagePoint(
                        "router-" + router,
                        Addresses.text(peer.ipv6(), peer.addressHigh(), peer.addressLow()),
                        Integer.toUnsignedLong(peer.asn())),
                sessions[router],
                messages << 16,
                time));
    }

    /** Sends the number of routes in a table by a Statistics Report. */
    void report(int vantagePoint, int family, long routes) {
        time += SECOND;
        messages++;
        int router = vantagePoint / PEERS;
        PeerEntry peer = peer(vantagePoint);
        engine.report(new ReportedSize(
                new VantagePoint(
                        "router-" + router,
                        Addresses.text(peer.ipv6(), peer.addressHigh(), peer.addressLow()),
                        Integer.toUnsignedLong(peer.asn())),
                peer.view(),
                family,
                routes,
                sessions[router],
                messages << 16,
                time));
    }

    /** Uses other VRPs from now on. */
    void useVrps(VrpTable vrps) {
        time += SECOND;
        engine.passTo(time);
        engine.useVrps(vrps);
        versions.put(time, vrps);
    }

    private void apply(BatchFeed events) {
        RouteBatch batch = events.build();
        batches.add(batch);
        engine.apply(batch);
    }

    private BatchFeed begin(int vantagePoint) {
        time += SECOND;
        int router = vantagePoint / PEERS;
        return feed.begin("collector", "router-" + router, sessions[router], time);
    }

    void announce(int vantagePoint, String prefix, long... path) {
        apply(begin(vantagePoint).announce(peer(vantagePoint), family(prefix), null, nlri(prefix), attributes(path)));
    }

    /** Announces a route with Only to Customer. */
    void announceOnlyToCustomer(int vantagePoint, String prefix, long otc, long... path) {
        ByteSink sink = new ByteSink();
        byte[] begin = attributes(path);
        sink.bytes(begin, 0, begin.length);
        sink.u8(0xD0).u8(35).u16(4).u32((int) otc);
        apply(begin(vantagePoint).announce(peer(vantagePoint), family(prefix), null, nlri(prefix), sink.toByteArray()));
    }

    /** Announces a route in the RIB view after policy. */
    void accept(int vantagePoint, String prefix, long... path) {
        PeerEntry peer = BatchFeed.peer(vantagePoint % PEERS, RibView.ADJ_RIB_IN_POST_POLICY);
        apply(begin(vantagePoint)
                .role(peer, roles.get(vantagePoint))
                .announce(peer, family(prefix), null, nlri(prefix), attributes(path)));
    }

    void withdraw(int vantagePoint, String prefix) {
        withdraw(vantagePoint, peer(vantagePoint), prefix);
    }

    /** Withdraws a route in the RIB view after policy. */
    void reject(int vantagePoint, String prefix) {
        withdraw(vantagePoint, BatchFeed.peer(vantagePoint % PEERS, RibView.ADJ_RIB_IN_POST_POLICY), prefix);
    }

    private void withdraw(int vantagePoint, PeerEntry peer, String prefix) {
        apply(begin(vantagePoint).withdraw(peer, family(prefix), null, nlri(prefix)));
    }

    void peerDown(int vantagePoint) {
        apply(begin(vantagePoint).peerDown(peer(vantagePoint), true));
    }

    void endOfRib(int vantagePoint) {
        endOfRib(vantagePoint, Family.IPV4_UNICAST);
    }

    /** @param family 0 for all tables of the peer */
    void endOfRib(int vantagePoint, int family) {
        apply(begin(vantagePoint).endOfRib(peer(vantagePoint), family));
    }

    void sessionDown(int router) {
        apply(begin(router * PEERS).event(EventKind.SESSION_DOWN));
    }

    void newSession(int router) {
        sessions[router]++;
        apply(begin(router * PEERS).event(EventKind.SESSION_UP));
    }

    private static int family(String prefix) {
        return IpPrefix.parse(prefix).ipv6() ? Family.IPV6_UNICAST : Family.IPV4_UNICAST;
    }

    private static byte[] nlri(String text) {
        IpPrefix prefix = IpPrefix.parse(text);
        return prefix.ipv6()
                ? BatchFeed.prefix(prefix.high(), prefix.low(), prefix.length())
                : BatchFeed.ipv4((int) prefix.low(), prefix.length());
    }

    private static byte[] attributes(long... path) {
        ByteSink sink = new ByteSink();
        sink.u8(0x50).u8(1).u16(1).u8(0);
        sink.u8(0x50).u8(2).u16(path.length == 0 ? 0 : 2 + 4 * path.length);
        if (path.length > 0) {
            sink.u8(2).u8(path.length);
            for (long asn : path) {
                sink.u32((int) asn);
            }
        }
        return sink.toByteArray();
    }
}
