package dev.silkroute.mrt;

import dev.silkroute.bgp.update.UpdateEncoder;
import dev.silkroute.bmp.BmpEncoder;
import dev.silkroute.net.BigEndian;
import dev.silkroute.net.ByteCursor;
import dev.silkroute.net.DecodeException;
import dev.silkroute.net.Family;

/**
 * Converts BGP4MP records: BGP messages, which are copied unchanged, and state changes of sessions.
 *
 * <pre>
 *   peer AS u16 or u32 | local AS u16 or u32 | interface u16 | AFI u16 | peer address | local address |
 *       BGP message, or: old state u16 | new state u16                          RFC 6396, Sections 4.4.1 to 4.4.5
 * </pre>
 *
 * Messages that the collector sent (subtypes with LOCAL) become Adj-RIB-Out, post-policy; those that it received become
 * Adj-RIB-In, pre-policy.
 */
final class PeerMessages {
    static final String SECTION = "RFC 6396, Section 4.4";

    private static final int STATE_CHANGE = 0;
    private static final int STATE_CHANGE_AS4 = 5;
    private static final int ESTABLISHED = 6;

    private static final int HEADER = 19;
    private static final int OPEN = 1;
    private static final int UPDATE = 2;
    private static final int NOTIFICATION = 3;
    private static final int OPEN_LENGTH = 29;

    private final BgpSessions sessions;
    private final UpdateFamilies families = new UpdateFamilies();
    private MrtPeer.Key key = new MrtPeer.Key(false, 0, 0, 0);
    private MrtPeer.LocalEnd localEnd = MrtPeer.LocalEnd.UNKNOWN;

    PeerMessages(BgpSessions sessions) {
        this.sessions = sessions;
    }

    /**
     * Subtypes of RFC 6396, Section 4.4, and RFC 8050, Section 3. Subtypes 2 and 3 are obsolete and contained tables.
     */
    static boolean isKnown(int subtype) {
        return subtype <= 11 && subtype != 2 && subtype != 3;
    }

    private static boolean isFourOctet(int subtype) {
        return switch (subtype) {
            case 4, STATE_CHANGE_AS4, 7, 9, 11 -> true;
            default -> false;
        };
    }

    private static boolean isLocal(int subtype) {
        return subtype == 6 || subtype == 7 || subtype == 10 || subtype == 11;
    }

    private static boolean hasPathIds(int subtype) {
        return subtype >= 8;
    }

    /** Reads the two ends of the session; {@link #play} reads the rest. */
    void begin(int subtype, ByteCursor body) {
        boolean isFourOctet = isFourOctet(subtype);
        int asn = isFourOctet ? body.i32() : body.u16();
        int localAsn = isFourOctet ? body.i32() : body.u16();
        body.u16();
        int afi = body.u16();
        if (afi != Family.AFI_IPV4 && afi != Family.AFI_IPV6) {
            throw body.fault("addresses of AFI " + afi);
        }
        boolean ipv6 = afi == Family.AFI_IPV6;
        key = new MrtPeer.Key(ipv6, ipv6 ? body.i64() : 0, ipv6 ? body.i64() : body.u32(), asn);
        localEnd = new MrtPeer.LocalEnd(localAsn, ipv6 ? body.i64() : 0, ipv6 ? body.i64() : body.u32());
    }

    /** Returns whether the record concerns an established session. The addresses of others may be unknown. */
    static boolean isRelevant(int subtype, ByteCursor body) {
        if (subtype != STATE_CHANGE && subtype != STATE_CHANGE_AS4) {
            return true;
        }
        ByteCursor states = new ByteCursor(body.array(), body.position(), body.limit(), SECTION);
        int before = states.u16();
        return before == ESTABLISHED || states.u16() == ESTABLISHED;
    }

    /** Returns the name of a collector that is known from messages only. */
    String collector() {
        return MrtRouter.name(localEnd.asn(), key.isIpv6(), localEnd.high(), localEnd.low());
    }

    int localAsn() {
        return localEnd.asn();
    }

    /** Returns the derived BGP ID of such a collector. */
    int collectorId() {
        return MrtPeer.derivedBgpId(new MrtPeer.Key(key.isIpv6(), localEnd.high(), localEnd.low(), localEnd.asn()));
    }

    void play(MrtRouter router, int subtype, ByteCursor body, long timeMicros) {
        MrtPeer peer = router.peer(key);
        peer.setLocalEnd(localEnd);
        if (subtype == STATE_CHANGE || subtype == STATE_CHANGE_AS4) {
            stateChange(router, peer, body, timeMicros);
        } else {
            message(router, peer, subtype, body, timeMicros);
        }
    }

    private void stateChange(MrtRouter router, MrtPeer peer, ByteCursor body, long timeMicros) {
        int before = body.u16();
        int after = body.u16();
        if (after == ESTABLISHED && before != ESTABLISHED) {
            if (peer.isUp()) {
                sessions.down(router, peer, timeMicros);
            }
            sessions.up(router, peer, timeMicros);
        } else if (before == ESTABLISHED && after != ESTABLISHED) {
            sessions.down(router, peer, timeMicros);
        }
    }

    private void message(MrtRouter router, MrtPeer peer, int subtype, ByteCursor body, long timeMicros) {
        int length = body.remaining();
        if (length < HEADER) {
            throw body.fault("BGP message of " + length + " bytes");
        }
        boolean local = isLocal(subtype);
        byte[] b = body.array();
        int from = body.position();
        switch (BigEndian.u8(b, from + 18)) {
            case UPDATE -> update(router, peer, subtype, b, from, body.limit(), timeMicros);
            case OPEN -> {
                if (!local && length >= OPEN_LENGTH && !peer.isUp()) {
                    peer.setBgpId(BigEndian.i32(b, from + 24));
                }
            }
            case NOTIFICATION -> {
                peer.setNotification(new MrtPeer.Notification(body.bytes(length), local));
            }
            default -> {
                // BMP does not carry KEEPALIVE and ROUTE-REFRESH.
            }
        }
    }

    private void update(MrtRouter router, MrtPeer peer, int subtype, byte[] b, int from, int to, long timeMicros) {
        if (to - from > UpdateEncoder.MAX_EXTENDED_LENGTH) {
            throw new DecodeException("BGP message of " + (to - from) + " bytes", from, SECTION);
        }
        boolean local = isLocal(subtype);
        SessionCapabilities session =
                sessions.sessionFor(router, peer, timeMicros, families.of(b, from, to), local, hasPathIds(subtype));
        if (to - from > UpdateEncoder.MAX_LENGTH) {
            session.requireExtendedMessage();
        }
        int flags = local ? MrtPeer.FLAG_ADJ_RIB_OUT | MrtPeer.FLAG_POST_POLICY : 0;
        if (!isFourOctet(subtype)) {
            session.requireTwoOctetAs();
            flags |= MrtPeer.FLAG_TWO_OCTET_AS;
        }
        BmpEncoder.routeMonitoring(peer.header(flags, timeMicros), b, from, to, router.out());
        router.messageCompleted();
    }
}
