package dev.silkroute.bmp;

import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Encodes BMP messages and appends them to a sink, for the load generator, for replay and for tests. Stateless.
 *
 * <p>A message of version 4 is begun with its version, and its TLVs are appended one by one.
 */
public final class BmpEncoder {
    private BmpEncoder() {}

    /** Begins a message. @return its position, for {@link #end} */
    public static int begin(MessageType type, ByteSink out) {
        return begin(BmpMessages.VERSION, type, out);
    }

    /** Begins a message of this version. @return its position, for {@link #end} */
    public static int begin(int version, MessageType type, ByteSink out) {
        int start = out.position();
        out.u8(version).u32(0).u8(type.code());
        return start;
    }

    /** Begins a message with a per-peer header. */
    public static int begin(MessageType type, PeerHeader peer, ByteSink out) {
        return begin(BmpMessages.VERSION, type, peer, out);
    }

    /** Begins a message of this version with a per-peer header. */
    public static int begin(int version, MessageType type, PeerHeader peer, ByteSink out) {
        int start = begin(version, type, out);
        peer.write(out);
        return start;
    }

    /** Writes the length of the message that began at {@code start}. */
    public static void end(int start, ByteSink out) {
        out.patchU32(start + 1, out.position() - start);
    }

    public static void initiation(String sysName, String sysDescr, ByteSink out) {
        tlvs(
                MessageType.INITIATION,
                List.of(text(TlvType.SYS_DESCR.code(), sysDescr), text(TlvType.SYS_NAME.code(), sysName)),
                out);
    }

    public static void termination(int reasonCode, ByteSink out) {
        byte[] reason = {(byte) (reasonCode >>> 8), (byte) reasonCode};
        tlvs(MessageType.TERMINATION, List.of(new Tlv(TlvType.TERMINATION_REASON.code(), Bytes.of(reason))), out);
    }

    /** Appends an Initiation or Termination with these TLVs. */
    public static void tlvs(MessageType type, List<Tlv> tlvs, ByteSink out) {
        int start = begin(type, out);
        append(tlvs, out);
        end(start, out);
    }

    /** Appends a Peer Up. @param sent a whole OPEN message, as is {@code received} */
    public static void peerUp(
            PeerHeader peer,
            long localHigh,
            long localLow,
            int localPort,
            int remotePort,
            Bytes sent,
            Bytes received,
            List<Tlv> tlvs,
            ByteSink out) {
        int start = begin(MessageType.PEER_UP, peer, out);
        out.i64(localHigh)
                .i64(localLow)
                .u16(localPort)
                .u16(remotePort)
                .bytes(sent)
                .bytes(received);
        append(tlvs, out);
        end(start, out);
    }

    public static void peerDown(PeerHeader peer, int reasonCode, Bytes data, ByteSink out) {
        int start = begin(MessageType.PEER_DOWN, peer, out);
        out.u8(reasonCode).bytes(data);
        end(start, out);
    }

    /** Appends a Route Monitoring message with one whole BGP message. */
    public static void routeMonitoring(PeerHeader peer, byte[] update, int from, int to, ByteSink out) {
        int start = begin(MessageType.ROUTE_MONITORING, peer, out);
        out.bytes(update, from, to);
        end(start, out);
    }

    public static Tlv text(int type, String value) {
        return new Tlv(type, Bytes.of(value.getBytes(StandardCharsets.UTF_8)));
    }

    /** Appends TLVs; vendors' own are valid in version 4 only. */
    public static void append(List<Tlv> tlvs, ByteSink out) {
        for (Tlv tlv : tlvs) {
            Long enterprise = tlv.enterprise();
            int length = tlv.value().length() + (enterprise == null ? 0 : Tlv.ENTERPRISE_LENGTH);
            if (length > 0xFFFF) {
                throw new IllegalArgumentException("a TLV has at most 65,535 bytes, not " + length);
            }
            out.u16(enterprise == null ? tlv.type() : tlv.type() | Tlv.ENTERPRISE_BIT)
                    .u16(length);
            if (enterprise != null) {
                out.u32(enterprise.intValue());
            }
            out.bytes(tlv.value());
        }
    }
}
