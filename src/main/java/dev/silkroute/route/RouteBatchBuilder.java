package dev.silkroute.route;

import static dev.silkroute.route.WireFormat.*;

import dev.silkroute.bgp.PathMarking;
import dev.silkroute.net.BigEndian;
import dev.silkroute.net.ByteSink;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * Writes {@link RouteBatch} records, one after the other, reusing its buffers: {@link #begin}, then peers, attribute
 * sets and events in their order, then {@link #build}.
 *
 * <p>Not thread-safe. Allocates per batch, not per event.
 */
public final class RouteBatchBuilder {
    private final ByteSink peers = new ByteSink();
    private final ByteSink groups = new ByteSink();
    private final AttributeTable attributes = new AttributeTable();
    private final Map<PeerEntry, Integer> peerIndexes = new HashMap<>();
    private final RouteGroup routes = new RouteGroup(this);

    private String collector = "";
    private String router = "";
    private String routerAddress = "";
    private long sessionId;
    private long receivedAtMicros;
    private boolean marked;
    private boolean tableDump;
    private boolean ofVersion3;
    private int groupCount;
    private int eventCount;

    /** Forgets what was written before and starts a record. */
    public void begin(String collector, String router, String routerAddress, long sessionId, long receivedAtMicros) {
        this.collector = collector;
        this.router = router;
        this.routerAddress = routerAddress;
        this.sessionId = sessionId;
        this.receivedAtMicros = receivedAtMicros;
        peers.reset();
        groups.reset();
        attributes.reset();
        peerIndexes.clear();
        marked = false;
        tableDump = false;
        ofVersion3 = false;
        groupCount = 0;
        eventCount = 0;
    }

    public boolean isEmpty() {
        return groupCount == 0;
    }

    public int eventCount() {
        return eventCount;
    }

    /** The index of a peer in this record's peer table, which it joins when it is new. */
    public int peer(PeerEntry entry) {
        Integer known = peerIndexes.get(entry);
        if (known != null) {
            return known;
        }
        int index = peerIndexes.size();
        if (index >= NO_PEER) {
            throw new IllegalStateException("more than " + NO_PEER + " peers in one batch");
        }
        peerIndexes.put(entry, index);
        peers.u8(entry.view().code());
        peers.u8(entry.peerType());
        peers.u8(entry.ipv6() ? PEER_IPV6 : 0);
        peers.u8(0);
        peers.i64(entry.distinguisher());
        peers.i64(entry.addressHigh());
        peers.i64(entry.addressLow());
        peers.u32(entry.asn());
        peers.u32(entry.bgpId());
        return index;
    }

    /** Whether the announcements that follow are part of a table dump, see {@link RouteCursor#tableDump}; not so at the beginning. */
    public void tableDump(boolean dump) {
        tableDump = dump;
    }

    /** Where to write a canonical attribute set, to be followed by {@link #attributeSet()}. */
    public ByteSink attributes() {
        return attributes.sink();
    }

    /** The index in this record's attribute table of the set just written to {@link #attributes()}, which it joins when it is new. */
    public int attributeSet() {
        return attributes.intern();
    }

    /** The same for a set written elsewhere. */
    public int attributeSet(byte[] canonical, int from, int to) {
        attributes.sink().bytes(canonical, from, to);
        return attributes.intern();
    }

    /** Routes of a peer and family, to be described and added. */
    public RouteGroup group(int peer, int family) {
        return routes.of(peer, family);
    }

    void routes(RouteGroup of, EventKind kind, int set, int count, byte[] bytes, int from, int to) {
        boolean dump = tableDump && kind == EventKind.ANNOUNCE;
        ofVersion3 |= dump;
        int flags = of.flags() | (dump ? FLAG_TABLE_DUMP : 0);
        group(kind, flags, of.peer(), of.family(), set, of.sequence(), of.routerTimeMicros(), count, to - from);
        long marking = of.marking();
        if (PathMarking.isMarked(marking)) {
            marked = true;
            groups.u32(PathMarking.status(marking));
            groups.u16(PathMarking.hasReason(marking) ? PathMarking.reason(marking) : 0);
            groups.u16(0);
        }
        groups.bytes(bytes, from, to);
    }

    /** Adds an event without NLRI. {@code peer} is -1 where the kind {@linkplain EventKind#hasPeer has none}. */
    public void event(EventKind kind, int peer, int family, boolean allViews, long sequence, long routerTimeMicros) {
        event(kind, peer, family, allViews, false, sequence, routerTimeMicros);
    }

    /** @param synthetic whether the station makes this event, not the router */
    public void event(
            EventKind kind,
            int peer,
            int family,
            boolean allViews,
            boolean synthetic,
            long sequence,
            long routerTimeMicros) {
        int flags = (allViews ? FLAG_ALL_VIEWS : 0) | (synthetic ? FLAG_SYNTHETIC : 0);
        ofVersion3 |= kind == EventKind.COLLECTOR_START;
        group(kind, flags, peer < 0 ? NO_PEER : peer, family, NO_SET, sequence, routerTimeMicros, 1, 0);
    }

    private void group(
            EventKind kind,
            int flags,
            int peer,
            int family,
            int set,
            long sequence,
            long routerTimeMicros,
            int count,
            int length) {
        int at = groups.claim(GROUP_BYTES);
        byte[] b = groups.array();
        b[at + GROUP_KIND] = (byte) kind.code();
        b[at + GROUP_FLAGS] = (byte) flags;
        BigEndian.putU16(b, at + GROUP_PEER, peer);
        BigEndian.putU32(b, at + GROUP_FAMILY, family);
        BigEndian.putU32(b, at + GROUP_SET, set);
        BigEndian.putI64(b, at + GROUP_SEQUENCE, sequence);
        BigEndian.putI64(b, at + GROUP_ROUTER_TIME, routerTimeMicros);
        BigEndian.putU32(b, at + GROUP_COUNT, count);
        BigEndian.putU32(b, at + GROUP_LENGTH, length);
        groupCount++;
        eventCount += count;
    }

    /** The finished record. The builder may be used again after the next {@link #begin}. */
    public byte[] build() {
        byte[] names = names();
        int directoryAt = NAMES_AT + names.length + peers.position();
        int groupsAt = directoryAt + attributes.length();
        byte[] record = new byte[groupsAt + groups.position()];
        RouteBatch.INT.set(record, 0, MAGIC << 8 | version());
        RouteBatch.INT.set(record, LENGTH, record.length);
        RouteBatch.LONG.set(record, SESSION_ID, sessionId);
        RouteBatch.LONG.set(record, RECEIVED_AT, receivedAtMicros);
        RouteBatch.INT.set(record, EVENTS, eventCount);
        RouteBatch.INT.set(record, GROUPS, groupCount);
        RouteBatch.SHORT.set(record, PEERS, (short) peerIndexes.size());
        RouteBatch.INT.set(record, ATTRIBUTE_SETS, attributes.size());
        RouteBatch.INT.set(record, DIRECTORY_AT, directoryAt);
        RouteBatch.INT.set(record, GROUPS_AT, groupsAt);
        System.arraycopy(names, 0, record, NAMES_AT, names.length);
        System.arraycopy(peers.array(), 0, record, NAMES_AT + names.length, peers.position());
        attributes.writeTo(record, directoryAt);
        System.arraycopy(groups.array(), 0, record, groupsAt, groups.position());
        RouteBatch.INT.set(record, CRC, RouteBatch.checksum(record, record.length));
        return record;
    }

    /** The lowest that can say what is in it. */
    private int version() {
        return ofVersion3 ? VERSION_3 : marked ? VERSION_2 : VERSION_1;
    }

    private byte[] names() {
        ByteSink sink = new ByteSink();
        for (String name : new String[] {collector, router, routerAddress}) {
            byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
            int length = Math.min(utf8.length, 0xFFFF);
            sink.u16(length);
            sink.bytes(utf8, 0, length);
        }
        byte[] names = new byte[sink.position()];
        System.arraycopy(sink.array(), 0, names, 0, names.length);
        return names;
    }
}
