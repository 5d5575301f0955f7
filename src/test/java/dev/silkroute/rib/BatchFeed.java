package dev.silkroute.rib;

import dev.silkroute.bgp.NeighborRole;
import dev.silkroute.bgp.PathMarking;
import dev.silkroute.bgp.RibView;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Family;
import dev.silkroute.route.EventKind;
import dev.silkroute.route.PeerEntry;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.RouteBatchBuilder;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Builds route batches as a collector does. */
public final class BatchFeed {
    private final RouteBatchBuilder builder = new RouteBatchBuilder();
    private long sequence;

    public BatchFeed begin(String collector, String router, long session, long at) {
        builder.begin(collector, router, router.isEmpty() ? "" : "192.0.2.1", session, at);
        return this;
    }

    public BatchFeed begin(String router, long session) {
        return begin("collector", router, session, session);
    }

    public RouteBatch build() {
        return RouteBatch.read(builder.build());
    }

    /** Sets what a peer is for the router, for the whole batch. @param role null if it is unknown */
    public BatchFeed role(PeerEntry peer, @Nullable NeighborRole role) {
        builder.peer(peer, Optional.ofNullable(role));
        return this;
    }

    public BatchFeed announce(PeerEntry peer, int family, @Nullable Integer pathId, byte[] nlri, byte[] attributes) {
        return announce(peer, family, pathId, nlri, attributes, PathMarking.NONE);
    }

    public BatchFeed announce(
            PeerEntry peer, int family, @Nullable Integer pathId, byte[] nlri, byte[] attributes, long marking) {
        int index = builder.peer(peer);
        int set = builder.attributeSet(attributes, 0, attributes.length);
        byte[] bytes = withPathId(pathId, nlri);
        builder.group(index, family)
                .pathIds(pathId != null)
                .at(sequence++, 0)
                .marking(marking)
                .announce(set, 1, bytes, 0, bytes.length);
        return this;
    }

    public BatchFeed withdraw(PeerEntry peer, int family, @Nullable Integer pathId, byte[] nlri) {
        byte[] bytes = withPathId(pathId, nlri);
        builder.group(builder.peer(peer), family)
                .pathIds(pathId != null)
                .at(sequence++, 0)
                .withdraw(1, bytes, 0, bytes.length);
        return this;
    }

    public BatchFeed peerUp(PeerEntry peer) {
        builder.event(EventKind.PEER_UP, builder.peer(peer), 0, false, sequence++, 0);
        return this;
    }

    public BatchFeed peerDown(PeerEntry peer, boolean allViews) {
        builder.event(EventKind.PEER_DOWN, builder.peer(peer), 0, allViews, sequence++, 0);
        return this;
    }

    /** @param family 0: all tables of the peer */
    public BatchFeed endOfRib(PeerEntry peer, int family) {
        builder.event(EventKind.END_OF_RIB, builder.peer(peer), family, family == 0, family == 0, sequence++, 0);
        return this;
    }

    public BatchFeed event(EventKind kind) {
        builder.event(kind, -1, 0, false, sequence++, 0);
        return this;
    }

    private static byte[] withPathId(@Nullable Integer pathId, byte[] nlri) {
        ByteSink sink = new ByteSink();
        if (pathId != null) {
            sink.u32(pathId);
        }
        return sink.bytes(nlri, 0, nlri.length).toByteArray();
    }

    public static PeerEntry peer(int number, RibView view) {
        return new PeerEntry(
                view == RibView.LOC_RIB ? 3 : 0, 0, false, 0, 0xC0000200L + number, 64500 + number, number, view);
    }

    /**
     * ORIGIN, AS_PATH, NEXT_HOP, MULTI_EXIT_DISC, and some of LOCAL_PREF, COMMUNITIES and LARGE_COMMUNITIES. MED is a
     * function of the rest, so that a torn read is detected.
     */
    public static byte[] attributes(int origin, int variant) {
        ByteSink sink = new ByteSink();
        sink.u8(0x50).u8(1).u16(1).u8(0);
        sink.u8(0x50).u8(2).u16(10).u8(2).u8(2).u32(65000 + variant).u32(origin);
        sink.u8(0x50).u8(3).u16(4).u32(0xC0000200 + variant);
        sink.u8(0x90).u8(4).u16(4).u32(origin * 31 + variant);
        if (variant % 3 == 0) {
            sink.u8(0x50).u8(5).u16(4).u32(100 + variant);
        }
        int communities = variant % 5;
        if (communities > 0) {
            sink.u8(0xD0).u8(8).u16(4 * communities);
            for (int i = 0; i < communities; i++) {
                sink.u32(origin << 16 | i);
            }
        }
        if (variant % 4 == 1) {
            sink.u8(0xD0).u8(32).u16(12).u32(origin).u32(variant).u32(7);
        }
        return sink.toByteArray();
    }

    /** A unicast prefix of either family from a left-aligned address of 128 bits. */
    public static byte[] prefix(long high, long low, int length) {
        ByteSink sink = new ByteSink();
        sink.u8(length);
        address(sink, high, low, length);
        return sink.toByteArray();
    }

    public static byte[] ipv4(int address, int length) {
        return prefix((long) address << 32, 0, length);
    }

    private static void address(ByteSink sink, long high, long low, int length) {
        for (int i = 0; i < length; i += 8) {
            sink.u8((int) (i < 64 ? high >>> 56 - i : low >>> 120 - i));
        }
    }

    /** A labelled prefix, with an RD for VPN families; in a withdrawal the label has the reserved value. */
    public static byte[] labeled(int family, int label, long rd, long high, long low, int length, boolean withdrawal) {
        boolean vpn = Family.safi(family) == 128;
        ByteSink sink = new ByteSink();
        sink.u8(24 + (vpn ? 64 : 0) + length);
        int field = withdrawal ? 0x80_0000 : label << 4 | 1;
        sink.u8(field >>> 16).u16(field);
        if (vpn) {
            sink.i64(rd);
        }
        address(sink, high, low, length);
        return sink.toByteArray();
    }

    /** EVPN route type 2, whose ESI and label are in the NLRI but not part of its key. */
    public static byte[] macRoute(long rd, int mac, int esi, int label) {
        ByteSink sink = new ByteSink();
        sink.u8(2)
                .u8(33)
                .i64(rd)
                .u16(0)
                .i64(esi)
                .u32(7)
                .u8(48)
                .u16(0)
                .u32(mac)
                .u8(0)
                .u8(label >>> 12)
                .u16(label << 4);
        return sink.toByteArray();
    }

    /** FlowSpec with a destination prefix. */
    public static byte[] flow(int address) {
        return new ByteSink()
                .u8(5)
                .u8(1)
                .u8(24)
                .u8(address >>> 24)
                .u8(address >>> 16)
                .u8(address >>> 8)
                .toByteArray();
    }
}
