package dev.silkroute.live;

import dev.silkroute.bgp.attribute.AttributeCode;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Family;
import dev.silkroute.net.Hex;
import dev.silkroute.route.EventKind;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Makes BGP UPDATE messages of the routes of messages of the stream. They mean the same as those that the router has
 * received, but are not the same bytes: attributes are in the order of their types, AS numbers have four octets, path
 * identifiers are missing, and an UPDATE whose routes differ in kind or family has become several.
 */
final class RawUpdate {
    private static final int MAX_LENGTH = 65_535;
    private static final int TYPE_UPDATE = 2;
    private static final int LENGTH_AT = 16;
    private static final int OPTIONAL_EXTENDED = 0x90;

    private RawUpdate() {}

    /**
     * Returns an UPDATE message in hexadecimal digits; null for a message of the stream that is none, or that does not
     * fit into one.
     */
    static byte @Nullable [] hex(MessageView message) {
        if (MessageType.of(message.kind()) != MessageType.UPDATE || message.family() == 0) {
            return null;
        }
        ByteSink routes = new ByteSink();
        message.writeNlri(routes);
        byte[] nlri = routes.toByteArray();
        boolean isIpv4 = message.family() == Family.IPV4_UNICAST;
        ByteSink out = new ByteSink();
        out.i64(-1).i64(-1).u16(0).u8(TYPE_UPDATE);
        if (message.kind() == EventKind.ANNOUNCE) {
            out.u16(0);
            announce(message, nlri, out);
        } else if (isIpv4) {
            out.u16(nlri.length).bytes(nlri, 0, nlri.length).u16(0);
        } else {
            out.u16(0).u16(4 + 3 + nlri.length);
            out.u8(OPTIONAL_EXTENDED).u8(AttributeCode.MP_UNREACH_NLRI).u16(3 + nlri.length);
            out.u16(Family.afi(message.family())).u8(Family.safi(message.family()));
            out.bytes(nlri, 0, nlri.length);
        }
        if (out.position() > MAX_LENGTH) {
            return null;
        }
        out.patchU16(LENGTH_AT, out.position());
        return Hex.of(out.array(), 0, out.position()).getBytes(StandardCharsets.US_ASCII);
    }

    /** Writes the attributes, of which MP_REACH_NLRI is abbreviated in batches, and IPv4 routes after them. */
    private static void announce(MessageView message, byte[] nlri, ByteSink out) {
        byte[] bytes = message.batch().bytes();
        int start = out.position();
        out.u16(0);
        boolean isInAttribute = false;
        int end = message.attributesTo();
        for (int at = message.attributesFrom(); at < end; ) {
            int type = bytes[at + 1] & 0xFF;
            int length = (bytes[at + 2] & 0xFF) << 8 | bytes[at + 3] & 0xFF;
            int next = at + 4 + length;
            if (type == AttributeCode.MP_REACH_NLRI) {
                isInAttribute = true;
                out.bytes(bytes, at, at + 2).u16(length + 1 + nlri.length);
                out.bytes(bytes, at + 4, next).u8(0).bytes(nlri, 0, nlri.length);
            } else {
                out.bytes(bytes, at, next);
            }
            at = next;
        }
        out.patchU16(start, out.position() - start - 2);
        if (!isInAttribute) {
            out.bytes(nlri, 0, nlri.length);
        }
    }
}
