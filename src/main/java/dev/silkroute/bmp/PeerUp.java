package dev.silkroute.bmp;

import dev.silkroute.bgp.open.Open;
import dev.silkroute.bgp.open.SessionCapabilities;
import dev.silkroute.net.Addresses;
import dev.silkroute.net.BigEndian;
import dev.silkroute.net.ByteCursor;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Peer Up (RFC 7854, Section 4.10).
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
    public static final int STRING = 0;
    public static final int TABLE_NAME = 3;
    public static final int ADMIN_LABEL = 4;

    /** As version 3 has it. */
    public static PeerUp decode(byte[] b, int from, int to, boolean ipv6) {
        return decode(b, from, to, ipv6, BmpMessages.VERSION);
    }

    /**
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

    /** Name of the VRF or table (RFC 9069, Section 4.2). */
    public Optional<String> tableName() {
        return Tlv.texts(tlvs, TABLE_NAME).stream().findFirst();
    }

    /** Texts of all String TLVs, in their order. */
    public List<String> strings() {
        return Tlv.texts(tlvs, STRING);
    }

    /** All Admin Labels, in their order (RFC 9736, Section 3.3). */
    public List<String> adminLabels() {
        return Tlv.texts(tlvs, ADMIN_LABEL);
    }

    /** TLVs that no other method tells of: unknown types, and table names after the first. */
    public List<Tlv> others() {
        List<Tlv> others = new ArrayList<>();
        boolean named = false;
        for (Tlv tlv : tlvs) {
            if (!tlv.is(STRING) && !tlv.is(ADMIN_LABEL) && (named || !tlv.is(TABLE_NAME))) {
                others.add(tlv);
            }
            named |= tlv.is(TABLE_NAME);
        }
        return others;
    }

    public String localAddressText() {
        return Addresses.text(localIpv6, localHigh, localLow);
    }

    /** @param locRib whether the per-peer header has peer type 3 */
    public SessionCapabilities capabilities(boolean locRib) {
        return SessionCapabilities.of(sent, received, locRib);
    }

    /** {@code {"sent": …, "received": …, "session": …}}, as users see the capabilities of a peer. */
    public String capabilitiesJson(boolean locRib) {
        return "{\"sent\":" + sent.toJson() + ",\"received\":" + received.toJson() + ",\"session\":"
                + capabilities(locRib).toJson() + "}";
    }
}
