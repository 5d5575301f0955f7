package dev.silkroute.bmp;

import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Writes BMP messages, appending to a sink: for load, for replay under another name, and for tests. Stateless. */
public final class BmpEncoder {
    private BmpEncoder() {}

    /** Begins a message and returns where, for {@link #end}. */
    public static int begin(MessageType type, ByteSink out) {
        int start = out.position();
        out.u8(BmpMessages.VERSION).u32(0).u8(type.code());
        return start;
    }

    /** Begins a message with a per-peer header. */
    public static int begin(MessageType type, PeerHeader peer, ByteSink out) {
        int start = begin(type, out);
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
                List.of(text(InformationTlvs.SYS_DESCR, sysDescr), text(InformationTlvs.SYS_NAME, sysName)),
                out);
    }

    public static void termination(int reasonCode, ByteSink out) {
        byte[] reason = {(byte) (reasonCode >>> 8), (byte) reasonCode};
        tlvs(MessageType.TERMINATION, List.of(new Tlv(InformationTlvs.REASON, Bytes.of(reason))), out);
    }

    /** An Initiation or Termination of these TLVs. */
    public static void tlvs(MessageType type, List<Tlv> tlvs, ByteSink out) {
        int start = begin(type, out);
        append(tlvs, out);
        end(start, out);
    }

    /** @param sent whole OPEN message, and {@code received} likewise */
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

    /** Route Monitoring of one whole BGP message. */
    public static void routeMonitoring(PeerHeader peer, byte[] update, int from, int to, ByteSink out) {
        int start = begin(MessageType.ROUTE_MONITORING, peer, out);
        out.bytes(update, from, to);
        end(start, out);
    }

    public static Tlv text(int type, String value) {
        return new Tlv(type, Bytes.of(value.getBytes(StandardCharsets.UTF_8)));
    }

    private static void append(List<Tlv> tlvs, ByteSink out) {
        for (Tlv tlv : tlvs) {
            if (tlv.value().length() > 0xFFFF) {
                throw new IllegalArgumentException("TLV of " + tlv.value().length() + " bytes");
            }
            out.u16(tlv.type()).u16(tlv.value().length()).bytes(tlv.value());
        }
    }
}
