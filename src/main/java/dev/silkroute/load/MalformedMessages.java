package dev.silkroute.load;

import dev.silkroute.bmp.BmpEncoder;
import dev.silkroute.bmp.MessageType;
import dev.silkroute.bmp.PeerHeader;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Bytes;

/**
 * Writes the messages that a station must quarantine: UPDATEs whose structure is broken, UPDATEs of malformed
 * attributes only, and truncated BMP messages. Stateless.
 */
final class MalformedMessages {
    // Offsets in an UPDATE. ATTRIBUTES is the one in an UPDATE without withdrawn routes.
    private static final int MARKER = 0;
    private static final int LENGTH = 16;
    private static final int TYPE = 18;
    private static final int WITHDRAWN = 19;
    private static final int ATTRIBUTES = 21;

    private static final int KEEPALIVE = 4;
    private static final int OVERRUN = 0xFFFF;

    private MalformedMessages() {}

    /**
     * Replaces the NLRI by eight bytes of 0xFF. They are invalid with a path identifier and without one, as the length
     * of 255 bits exceeds both the address and the field, so they cannot make a decoder guess that the session uses
     * ADD-PATH.
     */
    static void spoilNlri(ByteSink nlri) {
        nlri.reset();
        nlri.i64(-1);
    }

    /** Breaks the structure of a well-formed UPDATE without withdrawn routes. */
    static void spoil(Malformation malformation, ByteSink update) {
        switch (malformation) {
            case BGP_MARKER -> update.patchU8(MARKER, 0);
            case BGP_LENGTH -> update.patchU16(LENGTH, update.position() + 1);
            case BGP_TYPE -> update.patchU8(TYPE, KEEPALIVE);
            case WITHDRAWN_LENGTH -> update.patchU16(WITHDRAWN, OVERRUN);
            case ATTRIBUTES_LENGTH -> update.patchU16(ATTRIBUTES, OVERRUN);
            default -> {}
        }
    }

    /** Writes an UPDATE that consists of these attributes only. */
    static void update(Bytes attributes, ByteSink update) {
        update.reset();
        update.i64(-1).i64(-1).u16(ATTRIBUTES + 2 + attributes.length()).u8(2);
        update.u16(0).u16(attributes.length()).bytes(attributes);
    }

    /** Writes a BMP message without an UPDATE, or a Route Monitoring that ends within the per-peer header. */
    static void write(Malformation malformation, PeerHeader peer, ByteSink out) {
        if (malformation == Malformation.PER_PEER_HEADER_CUT) {
            int start = BmpEncoder.begin(MessageType.ROUTE_MONITORING, out);
            BmpEncoder.end(start, out.i64(0));
            return;
        }
        MessageType type = malformation.messageType();
        int start = type.hasPerPeerHeader() ? BmpEncoder.begin(type, peer, out) : BmpEncoder.begin(type, out);
        switch (malformation) {
            case PEER_UP_CUT -> out.i64(0).i64(0).u16(0);
            case STATISTICS_OVERRUN -> out.u32(1).u16(0).u16(OVERRUN);
            case MIRRORING_OVERRUN, INITIATION_OVERRUN -> out.u16(0).u16(OVERRUN);
            default -> {}
        }
        BmpEncoder.end(start, out);
    }
}
