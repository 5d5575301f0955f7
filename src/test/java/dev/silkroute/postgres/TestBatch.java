package dev.silkroute.postgres;

import dev.silkroute.bgp.NeighborRole;
import dev.silkroute.bgp.PathMarking;
import dev.silkroute.bgp.RibView;
import dev.silkroute.net.Family;
import dev.silkroute.route.EventKind;
import dev.silkroute.route.PeerEntry;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.RouteBatchBuilder;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;

/** Route batches for tests, one event a call. */
public final class TestBatch {
    public static final PeerEntry PEER = peer(11, 11, RibView.ADJ_RIB_IN_PRE_POLICY);
    /** 2026-11-21T08:00:00Z. */
    public static final long EIGHT = 1_795_248_000_000_000L;

    /** An EVPN MAC/IP route up to its label. */
    public static final String MAC_IP =
            "0225" + "0000fde800000002" + "00112233445566778899" + "00000002" + "30020000000002" + "200a090002";

    public static final String MAC_IP_TEXT =
            "mac-ip rd=65000:2 esi=00:11:22:33:44:55:66:77:88:99 etag=2 mac=02:00:00:00:00:02 ip=10.9.0.2";

    /** A BGP-LS node. */
    public static final String NODE =
            "000100270200000000000000000100001a020000040000fde8020100040000000002030006000000000000";

    private final RouteBatchBuilder builder = new RouteBatchBuilder();
    private final long session;
    private final long at;
    private long sequence;
    private boolean redecoded;

    private TestBatch(String collector, String router, long session, long at) {
        this.session = session;
        this.at = at;
        builder.begin(collector, router, "192.0.2.1", session, at);
    }

    /** A batch of a session of router r1, received so many seconds after eight. */
    public static TestBatch of(long session, long seconds) {
        return of("r1", session, seconds);
    }

    public static TestBatch of(String router, long session, long seconds) {
        return of("c1", router, session, seconds);
    }

    public static TestBatch of(String collector, String router, long session, long seconds) {
        return new TestBatch(collector, router, session, EIGHT + seconds * 1_000_000);
    }

    /** Peer 192.0.2.{@code host} with BGP ID 10.0.0.{@code id}. */
    public static PeerEntry peer(int host, int id, RibView view) {
        return new PeerEntry(0, 0, false, 0, 0xC0000200L | host, (int) 4_200_000_011L, 0x0A000000 | id, view);
    }

    /** Sets what a peer is for the router, for the whole batch. */
    public TestBatch role(PeerEntry peer, NeighborRole role) {
        builder.peer(peer, Optional.of(role));
        return this;
    }

    public TestBatch announce(String prefix, int med) {
        return announce(PEER, prefix, med);
    }

    public TestBatch announce(PeerEntry peer, String prefix, int med) {
        return announce(peer, unicast(prefix), nlri(prefix), false, attributes(med));
    }

    /** @param nlri with its path identifier before it, if there is one */
    public TestBatch announce(PeerEntry peer, int family, byte[] nlri, boolean pathId, byte[] attributes) {
        return announce(peer, family, nlri, pathId, attributes, PathMarking.NONE);
    }

    /** @param marking the path marking, see {@link PathMarking} */
    public TestBatch announce(String prefix, int med, long marking) {
        return announce(PEER, unicast(prefix), nlri(prefix), false, attributes(med), marking);
    }

    private TestBatch announce(
            PeerEntry peer, int family, byte[] nlri, boolean pathId, byte[] attributes, long marking) {
        builder.group(builder.peer(peer), family)
                .pathIds(pathId)
                .at(sequence++, at - 1)
                .marking(marking)
                .announce(builder.attributeSet(attributes, 0, attributes.length), 1, nlri, 0, nlri.length);
        return this;
    }

    /** So many routes of one message, one behind the other. */
    public TestBatch announceAll(PeerEntry peer, int family, byte[] nlri, int count, byte[] attributes) {
        builder.group(builder.peer(peer), family)
                .at(sequence, at - 1)
                .announce(builder.attributeSet(attributes, 0, attributes.length), count, nlri, 0, nlri.length);
        sequence += count;
        return this;
    }

    public TestBatch withdraw(String prefix) {
        return withdraw(PEER, prefix);
    }

    public TestBatch withdraw(PeerEntry peer, String prefix) {
        return withdraw(peer, unicast(prefix), nlri(prefix), false);
    }

    public TestBatch withdraw(PeerEntry peer, int family, byte[] nlri, boolean pathId) {
        builder.group(builder.peer(peer), family)
                .pathIds(pathId)
                .at(sequence++, 0)
                .withdraw(1, nlri, 0, nlri.length);
        return this;
    }

    public TestBatch peerUp(PeerEntry peer) {
        builder.event(EventKind.PEER_UP, builder.peer(peer), 0, false, sequence++, 0);
        return this;
    }

    public TestBatch peerDown(PeerEntry peer, boolean allViews) {
        builder.event(EventKind.PEER_DOWN, builder.peer(peer), 0, allViews, sequence++, 0);
        return this;
    }

    /** Announcements from here on are part of a table dump. */
    public TestBatch dump() {
        builder.tableDump(true);
        return this;
    }

    /** They are no longer: End-of-RIB. */
    public TestBatch endOfRib(PeerEntry peer, int family) {
        builder.tableDump(false);
        builder.event(EventKind.END_OF_RIB, builder.peer(peer), family, family == 0, family == 0, sequence++, 0);
        return this;
    }

    /** The collector restarts; must be the only event of a batch of no router. */
    public TestBatch collectorStart() {
        builder.event(EventKind.COLLECTOR_START, -1, 0, false, sequence++, 0);
        return this;
    }

    public TestBatch session(EventKind upOrDown) {
        builder.event(upOrDown, -1, 0, false, sequence++, 0);
        return this;
    }

    /** What follows is of the session's message of this number. */
    public TestBatch message(long number) {
        sequence = number << 16;
        return this;
    }

    /** The batch is one that was decoded again. */
    public TestBatch redecoded() {
        redecoded = true;
        return this;
    }

    public byte[] bytes() {
        byte[] record = builder.build();
        return redecoded ? RouteBatch.asRedecoded(record) : record;
    }

    public RouteBatch build() {
        return RouteBatch.read(bytes());
    }

    public static int unicast(String prefix) {
        return prefix.contains(":") ? Family.IPV6_UNICAST : Family.IPV4_UNICAST;
    }

    /** {@code 10.0.0.0/8} as BGP writes it: length in bits and the bytes that hold them. */
    public static byte[] nlri(String prefix) {
        String[] parts = prefix.split("/", 2);
        int bits = Integer.parseInt(parts[1]);
        try {
            byte[] address = InetAddress.getByName(parts[0]).getAddress();
            return concat(new byte[] {(byte) bits}, Arrays.copyOf(address, (bits + 7) / 8));
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(prefix, e);
        }
    }

    /** ORIGIN, AS_PATH 4200000011 64500, NEXT_HOP 192.0.2.1, MULTI_EXIT_DISC as a canonical set. */
    public static byte[] attributes(int med) {
        return hex("5001000100" + "5002000a0202fa56ea0b0000fbf4" + "50030004c0000201" + "90040004%08x".formatted(med));
    }

    public static byte[] hex(String digits) {
        return HexFormat.of().parseHex(digits);
    }

    public static byte[] concat(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }
}
