package dev.silkroute.bmp;

import dev.silkroute.bgp.open.Open;
import dev.silkroute.bgp.open.SessionCapabilities;
import dev.silkroute.net.Addresses;
import dev.silkroute.net.BigEndian;
import dev.silkroute.net.ByteCursor;
import java.util.List;

/**
 * A Peer Up message (RFC 7854, Section 4.10).
 *
 * <pre>
 * 16 local address | u16 local port | u16 remote port | sent OPEN | received OPEN | TLVs
 * </pre>
 *
 * @param localIpv6 whether the local address is IPv6, as the peer's is
 * @param localHigh upper 64 bits of the local address, 0 for IPv4
 * @param localLow lower 64 bits of the local address; IPv4 in the lower 32
 * @param sent the OPEN that the monitored router sent
 * @param received the OPEN that it received
 * @param tlvs in their order; the namespace is Peer Up's own (RFC 9736)
 */
public record PeerUp(
        boolean localIpv6,
        long localHigh,
        long localLow,
        int localPort,
        int remotePort,
        Open sent,
        Open received,
        List<Tlv> tlvs) {

    /**
     * Decodes a body.
     *
     * @param from the byte after the per-peer header
     * @param ipv6 {@link PerPeerHeader#ipv6()}
     */
    public static PeerUp decode(byte[] b, int from, int to, boolean ipv6, int version) {
        ByteCursor cursor = new ByteCursor(b, from, to, "RFC 7854, Section 4.10");
        int address = cursor.skip(16);
        int localPort = cursor.u16();
        int remotePort = cursor.u16();
        Open sent = open(cursor);
        Open received = open(cursor);
        return new PeerUp(
                ipv6,
                ipv6 ? BigEndian.i64(b, address) : 0,
                ipv6 ? BigEndian.i64(b, address + 8) : BigEndian.u32(b, address + 12),
                localPort,
                remotePort,
                sent,
                received,
                Tlv.readAll(cursor, version));
    }

    private static Open open(ByteCursor cursor) {
        Open open = Open.decode(cursor.array(), cursor.position(), cursor.limit());
        cursor.skip(open.raw().length());
        return open;
    }

    public String localAddressText() {
        return Addresses.text(localIpv6, localHigh, localLow);
    }

    /**
     * Returns the capabilities that both sides have agreed on.
     *
     * @param locRib whether the per-peer header has peer type 3
     */
    public SessionCapabilities capabilities(boolean locRib) {
        return SessionCapabilities.of(sent, received, locRib);
    }

    /**
     * Returns the capabilities as a JSON object: {@code {"sent": …, "received": …, "session": …}}.
     *
     * @param agreed those of the session
     */
    public String capabilitiesJson(SessionCapabilities agreed) {
        return "{\"sent\":" + sent.toJson() + ",\"received\":" + received.toJson() + ",\"session\":" + agreed.toJson()
                + "}";
    }
}
