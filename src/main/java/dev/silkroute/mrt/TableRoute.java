package dev.silkroute.mrt;

import dev.silkroute.bgp.attribute.AttributesEncoder;
import dev.silkroute.bgp.update.UpdateEncoder;
import dev.silkroute.bmp.BmpEncoder;
import dev.silkroute.bmp.MessageType;
import dev.silkroute.net.BigEndian;
import dev.silkroute.net.ByteCursor;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.DecodeException;
import dev.silkroute.net.Family;

/**
 * Converts one route of a table to an UPDATE. Attributes are copied, except MP_REACH_NLRI, which the table reduces to
 * the next hop (RFC 6396, Section 4.3.4) and which is restored here. Reused from route to route; not thread-safe.
 */
final class TableRoute {
    private static final int FLAG_TRANSITIVE = 0x40;
    private static final int FLAGS_OPTIONAL_TRANSITIVE = 0xC0;
    private static final int FLAG_EXTENDED_LENGTH = 0x10;
    private static final int NEXT_HOP = 3;
    private static final int MP_REACH = 14;
    private static final int MP_UNREACH = 15;

    private final BgpSessions sessions;
    private final UpdateFamilies families = new UpdateFamilies();
    private int family;
    private byte[] nlri = new byte[0];
    private int nlriFrom;
    private int nlriTo;
    private boolean hasPathId;
    private int pathId;

    /** The next hop in MP_REACH_NLRI and the one in NEXT_HOP, as ranges in the attributes; −1 if absent. */
    private int mpFrom;

    private int mpTo;
    private int nextHopFrom;
    private int nextHopTo;

    TableRoute(BgpSessions sessions) {
        this.sessions = sessions;
    }

    /** Sets the NLRI of the following routes and moves the cursor after it. */
    void nlri(int ofFamily, ByteCursor body, int end) {
        family = ofFamily;
        nlri = body.array();
        nlriFrom = body.position();
        nlriTo = end;
        body.skip(end - nlriFrom);
        hasPathId = false;
    }

    /** Sets the path identifier of the following routes. */
    void pathId(int id) {
        hasPathId = true;
        pathId = id;
    }

    void play(MrtRouter router, MrtPeer peer, ByteCursor attributes, long originatedMicros, long timeMicros) {
        byte[] b = attributes.array();
        int from = attributes.position();
        int to = attributes.limit();
        findNextHops(b, from, to);
        boolean usesNlriField = family == Family.IPV4_UNICAST && (nextHopFrom >= 0 || mpFrom < 0);
        boolean extended = !usesNlriField && UpdateFamilies.extended(family, nextHopLength()) != 0;
        SessionCapabilities session =
                sessions.sessionFor(router, peer, timeMicros, families.only(family, extended), false, hasPathId);
        ByteSink out = router.out();
        int start = BmpEncoder.begin(MessageType.ROUTE_MONITORING, peer.header(0, originatedMicros), out);
        UpdateEncoder update = new UpdateEncoder(out, true, true);
        AttributesEncoder encoder = update.begin().attributes();
        if (!usesNlriField) {
            mpReach(encoder, b, out);
        }
        copy(b, from, to, usesNlriField, out);
        try {
            update.nlri();
            if (usesNlriField) {
                writeNlri(out);
            }
            if (update.end() > UpdateEncoder.MAX_LENGTH) {
                session.requireExtendedMessage();
            }
        } catch (IllegalArgumentException e) {
            throw new DecodeException("a route that does not fit into an UPDATE", from, TableDump.SECTION);
        }
        BmpEncoder.end(start, out);
        router.messageCompleted();
        peer.dumpedFamilies().add(family);
    }

    /**
     * Writes MP_REACH_NLRI (RFC 4760, Section 3). Without a next hop in the table its length is 0, which the station
     * reports as an error.
     */
    private void mpReach(AttributesEncoder encoder, byte[] b, ByteSink out) {
        int attribute = encoder.begin(MP_REACH);
        out.u16(Family.afi(family)).u8(Family.safi(family)).u8(nextHopLength());
        if (mpFrom >= 0) {
            out.bytes(b, mpFrom, mpTo);
        } else if (nextHopFrom >= 0) {
            out.bytes(b, nextHopFrom, nextHopTo);
        }
        out.u8(0);
        writeNlri(out);
        encoder.end(attribute);
    }

    private int nextHopLength() {
        return mpFrom >= 0 ? mpTo - mpFrom : nextHopFrom >= 0 ? nextHopTo - nextHopFrom : 0;
    }

    private void writeNlri(ByteSink out) {
        if (hasPathId) {
            out.u32(pathId);
        }
        out.bytes(nlri, nlriFrom, nlriTo);
    }

    private void findNextHops(byte[] b, int from, int to) {
        mpFrom = -1;
        nextHopFrom = -1;
        int at = from;
        while (at < to) {
            int value = value(b, at, to);
            int end = value + length(b, at);
            if (end > to) {
                throw new DecodeException("an attribute that is longer than its field", at, TableDump.SECTION);
            }
            int type = BigEndian.u8(b, at + 1);
            if (type == NEXT_HOP) {
                nextHopFrom = value;
                nextHopTo = end;
            } else if (type == MP_REACH) {
                findMpNextHop(b, value, end);
            }
            at = end;
        }
    }

    /** Accepts the next hop with its length, as specified, and the complete attribute, which some collectors write. */
    private void findMpNextHop(byte[] b, int from, int to) {
        int length = to - from;
        if (length > 0 && BigEndian.u8(b, from) == length - 1) {
            mpFrom = from + 1;
            mpTo = to;
        } else if (length >= 4
                && Family.of(BigEndian.u16(b, from), BigEndian.u8(b, from + 2)) == family
                && BigEndian.u8(b, from + 3) <= length - 4) {
            mpFrom = from + 4;
            mpTo = mpFrom + BigEndian.u8(b, from + 3);
        } else {
            throw new DecodeException("MP_REACH_NLRI that is neither whole nor a next hop", from, TableDump.SECTION);
        }
    }

    private static void copy(byte[] b, int from, int to, boolean usesNlriField, ByteSink out) {
        int at = from;
        while (at < to) {
            int end = value(b, at, to) + length(b, at);
            int type = BigEndian.u8(b, at + 1);
            if (type != MP_REACH && type != MP_UNREACH && (usesNlriField || type != NEXT_HOP)) {
                out.u8(flags(b, at)).bytes(b, at + 1, end);
            }
            at = end;
        }
    }

    /**
     * Adds the transitive flag that BIRD omits from the well-known attributes that it originates (RFC 4271, Section 5).
     */
    private static int flags(byte[] b, int at) {
        int flags = BigEndian.u8(b, at);
        return (flags & FLAGS_OPTIONAL_TRANSITIVE) == 0 ? flags | FLAG_TRANSITIVE : flags;
    }

    private static int value(byte[] b, int at, int to) {
        int value = at + ((b[at] & FLAG_EXTENDED_LENGTH) != 0 ? 4 : 3);
        if (value > to) {
            throw new DecodeException("an attribute that is longer than its field", at, TableDump.SECTION);
        }
        return value;
    }

    private static int length(byte[] b, int at) {
        return (b[at] & FLAG_EXTENDED_LENGTH) != 0 ? BigEndian.u16(b, at + 2) : BigEndian.u8(b, at + 2);
    }

    void endOfRib(MrtRouter router, MrtPeer peer, int ofFamily, long timeMicros) {
        ByteSink out = router.out();
        int start = BmpEncoder.begin(MessageType.ROUTE_MONITORING, peer.header(0, timeMicros), out);
        new UpdateEncoder(out, true, true).endOfRib(ofFamily);
        BmpEncoder.end(start, out);
        router.messageCompleted();
    }
}
