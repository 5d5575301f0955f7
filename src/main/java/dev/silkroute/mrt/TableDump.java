package dev.silkroute.mrt;

import dev.silkroute.bgp.nlri.NlriFormat;
import dev.silkroute.net.ByteCursor;
import dev.silkroute.net.DecodeException;
import dev.silkroute.net.Family;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Converts TABLE_DUMP_V2 records: the peers of a table, then their routes prefix by prefix. Each route becomes an
 * UPDATE of its own. At the end of the table an End-of-RIB is generated for each family of each peer.
 *
 * <pre>
 *   peers:   collector BGP ID u32 | view name u16 length, text | count u16 | peers …      Section 4.3.1
 *     peer:  u8: 1 IPv6 address, 2 four-octet AS | BGP ID u32 | address | AS u16 or u32
 *   routes:  sequence u32 | NLRI | count u16 | entries …      Section 4.3.2
 *            sequence u32 | AFI u16 | SAFI u8 | NLRI | count u16 | entries …      Section 4.3.3
 *     entry: peer u16 | originated u32 | [path identifier u32] | attributes u16 length, bytes    Section 4.3.4
 * </pre>
 *
 * <p>Source: RFC 6396, and RFC 8050 for path identifiers.
 */
final class TableDump {
    static final String SECTION = "RFC 6396, Section 4.3";
    static final int PEER_INDEX_TABLE = 1;

    private static final int RIB_GENERIC = 6;
    private static final int FIRST_ADDPATH = 8;
    private static final int RIB_GENERIC_ADDPATH = 12;
    private static final int TYPE_IPV6 = 1;
    private static final int TYPE_FOUR_OCTET_AS = 2;
    private static final int ENTRY = 8;

    private final BgpSessions sessions;
    private final TableRoute route;
    private List<MrtPeer> peers = List.of();

    TableDump(BgpSessions sessions) {
        this.sessions = sessions;
        this.route = new TableRoute(sessions);
    }

    /** Returns whether the records contain routes. Subtype 7, GEO_PEER_TABLE, contains positions of the peers. */
    static boolean hasRoutes(int subtype) {
        return subtype > PEER_INDEX_TABLE && subtype <= RIB_GENERIC_ADDPATH && subtype != 7;
    }

    /** Reads the name of the view; the peers follow it. */
    static String viewName(ByteCursor body) {
        return new String(body.bytes(body.u16()).toArray(), StandardCharsets.UTF_8);
    }

    void readPeers(MrtRouter router, ByteCursor body) {
        int count = body.u16();
        List<MrtPeer> read = new ArrayList<>();
        Set<MrtPeer> used = new HashSet<>();
        for (int i = 0; i < count; i++) {
            int type = body.u8();
            int bgpId = body.i32();
            boolean ipv6 = (type & TYPE_IPV6) != 0;
            long high = ipv6 ? body.i64() : 0;
            long low = ipv6 ? body.i64() : body.u32();
            int asn = (type & TYPE_FOUR_OCTET_AS) != 0 ? body.i32() : body.u16();
            MrtPeer peer = router.peer(new MrtPeer.Key(ipv6, high, low, asn), bgpId, used);
            used.add(peer);
            read.add(peer);
        }
        peers = read;
    }

    void readRoutes(MrtRouter router, int subtype, ByteCursor body, long timeMicros) {
        body.i32();
        boolean pathIds = subtype >= FIRST_ADDPATH;
        if (subtype == RIB_GENERIC || subtype == RIB_GENERIC_ADDPATH) {
            int family = Family.of(body.u16(), body.u8());
            readGeneric(router, family, pathIds, body, timeMicros);
        } else {
            int family = switch (pathIds ? subtype - 6 : subtype) {
                case 2 -> Family.IPV4_UNICAST;
                case 3 -> Family.IPV4_MULTICAST;
                case 4 -> Family.IPV6_UNICAST;
                default -> Family.IPV6_MULTICAST;
            };
            route.nlri(family, body, nlriEnd(family, body, false));
            readEntries(router, pathIds, body, timeMicros);
        }
    }

    /**
     * Reads the routes of any family. RFC 8050 puts the single path identifier of RIB_GENERIC_ADDPATH before the NLRI;
     * GoBGP and OpenBGPD put one into each entry instead, as in the other subtypes. The length of the record shows
     * which it is.
     */
    private void readGeneric(MrtRouter router, int family, boolean pathIds, ByteCursor body, long timeMicros) {
        boolean inNlri = pathIds && endsExactlyWithPathIdInNlri(family, body);
        int pathId = inNlri ? body.i32() : 0;
        route.nlri(family, body, nlriEnd(family, body, true));
        if (inNlri) {
            route.pathId(pathId);
        }
        readEntries(router, pathIds && !inNlri, body, timeMicros);
    }

    /** Returns whether the record ends exactly if its NLRI has the path identifier and its entries have none. */
    private static boolean endsExactlyWithPathIdInNlri(int family, ByteCursor body) {
        int end = NlriFormat.next(family, body.array(), body.position(), body.limit(), true, false);
        if (end < 0) {
            return false;
        }
        ByteCursor rest = new ByteCursor(body.array(), end, body.limit(), SECTION);
        try {
            int count = rest.u16();
            for (int i = 0; i < count; i++) {
                rest.skip(ENTRY - 2);
                rest.skip(rest.u16());
            }
            return !rest.hasRemaining();
        } catch (DecodeException e) {
            return false;
        }
    }

    private static int nlriEnd(int family, ByteCursor body, boolean generic) {
        int end = NlriFormat.end(family, body.array(), body.position(), body.limit(), false, false);
        if (generic && end == body.limit()) {
            throw body.fault("routes of " + Family.text(family) + " have no end that is known");
        }
        return end;
    }

    private void readEntries(MrtRouter router, boolean pathIds, ByteCursor body, long timeMicros) {
        int count = body.u16();
        for (int i = 0; i < count; i++) {
            int at = body.position();
            int index = body.u16();
            if (index >= peers.size()) {
                throw new DecodeException("a route of peer " + index + " of " + peers.size(), at, SECTION);
            }
            long originated = body.u32();
            if (pathIds) {
                route.pathId(body.i32());
            }
            ByteCursor attributes = body.slice(body.u16(), SECTION);
            route.play(router, peers.get(index), attributes, originated * 1_000_000, timeMicros);
        }
    }

    void end(MrtRouter router, long timeMicros) {
        for (MrtPeer peer : peers) {
            for (int family : peer.dumpedFamilies()) {
                route.endOfRib(router, peer, family, timeMicros);
            }
            peer.dumpedFamilies().clear();
        }
        peers = List.of();
    }
}
