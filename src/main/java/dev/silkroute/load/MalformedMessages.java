package dev.silkroute.load;

import dev.silkroute.bmp.BmpEncoder;
import dev.silkroute.bmp.MessageType;
import dev.silkroute.bmp.PeerHeader;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Bytes;

/**
 * Writes the messages that a station must quarantine: an UPDATE with a fault in its frame, one of wrong attributes alone, or a BMP message
 * that is none. Stateless.
 */
final class MalformedMessages {
    private static final int MARKER = 0;
    private static final int LENGTH = 16;
    private static final int TYPE = 18;
    private static final int WITHDRAWN = 19;
    /** Where no routes are withdrawn. */
    private static final int ATTRIBUTES = 21;

    private static final int KEEPALIVE = 4;
    private static final int OVERRUN = 0xFFFF;

    private MalformedMessages() {}

    /**
     * Spoils an NLRI: longer than an address, than the field, and a path identifier of all ones, however it is read; so it doesn't teach
     * anybody another way of reading.
     */
    static void spoilNlri(ByteSink nlri) {
        nlri.reset();
        nlri.i64(-1);
    }

    /** Spoils a well-formed UPDATE that withdraws nothing. */
    static void spoil(Malformation kind, ByteSink update) {
        switch (kind) {
            case BGP_MARKER -> update.patchU8(MARKER, 0);
            case BGP_LENGTH -> update.patchU16(LENGTH, update.position() + 1);
            case BGP_TYPE -> update.patchU8(TYPE, KEEPALIVE);
            case WITHDRAWN_LENGTH -> update.patchU16(WITHDRAWN, OVERRUN);
            case ATTRIBUTES_LENGTH -> update.patchU16(ATTRIBUTES, OVERRUN);
            default -> {}
        }
    }

    /** An UPDATE of these attributes alone. */
    static void update(Bytes attributes, ByteSink update) {
        update.reset();
        update.i64(-1).i64(-1).u16(ATTRIBUTES + 2 + attributes.length()).u8(2);
        update.u16(0).u16(attributes.length()).bytes(attributes);
    }

    /** The BMP messages that hold no UPDATE, and one that ends before it could. */
    static void write(Malformation kind, PeerHeader peer, ByteSink out) {
        if (kind == Malformation.PER_PEER_HEADER_CUT) {
            int start = BmpEncoder.begin(MessageType.ROUTE_MONITORING, out);
            BmpEncoder.end(start, out.i64(0));
            return;
        }
        MessageType type = kind.messageType();
        int start = type.hasPerPeerHeader() ? BmpEncoder.begin(type, peer, out) : BmpEncoder.begin(type, out);
        switch (kind) {
            case PEER_UP_CUT -> out.i64(0).i64(0).u16(0);
            case STATISTICS_OVERRUN -> out.u32(1).u16(0).u16(OVERRUN);
            case MIRRORING_OVERRUN, INITIATION_OVERRUN -> out.u16(0).u16(OVERRUN);
            default -> {}
        }
        BmpEncoder.end(start, out);
    }
}
