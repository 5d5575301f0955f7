package dev.silkroute.bmp;

import dev.silkroute.bgp.PeerType;
import dev.silkroute.bgp.RibView;
import dev.silkroute.net.BigEndian;
import dev.silkroute.net.DecodeException;

/**
 * The per-peer header (RFC 7854, Section 4.2; O flag: RFC 8671, Section 4.1; F flag: RFC 9069, Section 4.2). Reused
 * from message to message without allocation; not thread-safe.
 *
 * <pre>
 *  0  u8  peer type
 *  1  u8  flags: V 0x80 (F for peer type 3), L 0x40, A 0x20, O 0x10
 *  2  u64 peer distinguisher
 * 10  16  peer address, IPv4 in the last four bytes
 * 26  u32 peer AS
 * 30  u32 peer BGP ID
 * 34  u32 seconds | u32 microseconds
 * </pre>
 */
public final class PerPeerHeader {
    public static final int LENGTH = BmpMessages.PER_PEER_HEADER_LENGTH;

    public static final int GLOBAL_INSTANCE = 0;
    public static final int RD_INSTANCE = 1;
    public static final int LOCAL_INSTANCE = 2;
    public static final int LOC_RIB_INSTANCE = 3;

    private static final int FLAG_V = 0x80;
    private static final int FLAG_L = 0x40;
    private static final int FLAG_A = 0x20;
    private static final int FLAG_O = 0x10;

    private static final long MICROS_PER_SECOND = 1_000_000;

    private int peerType;
    private int flags;
    private long distinguisher;
    private boolean ipv6;
    private long addressHigh;
    private long addressLow;
    private int asn;
    private int bgpId;
    private long routerTimeMicros;
    private boolean hasInvalidTime;

    /** Reads the header at {@code pos}, the byte after the common header. */
    public void read(byte[] b, int pos) {
        read(b, pos, b.length);
    }

    /** @throws DecodeException if the message ends before the header does */
    public void read(byte[] b, int pos, int limit) {
        if (limit - pos < LENGTH) {
            throw BmpFault.PER_PEER_HEADER.at(pos);
        }
        peerType = BigEndian.u8(b, pos);
        flags = BigEndian.u8(b, pos + 1);
        distinguisher = BigEndian.i64(b, pos + 2);
        ipv6 = peerType != LOC_RIB_INSTANCE && (flags & FLAG_V) != 0;
        addressHigh = ipv6 ? BigEndian.i64(b, pos + 10) : 0;
        addressLow = ipv6 ? BigEndian.i64(b, pos + 18) : BigEndian.u32(b, pos + 22);
        asn = BigEndian.i32(b, pos + 26);
        bgpId = BigEndian.i32(b, pos + 30);
        long micros = BigEndian.u32(b, pos + 38);
        hasInvalidTime = micros >= MICROS_PER_SECOND;
        routerTimeMicros = hasInvalidTime ? 0 : BigEndian.u32(b, pos + 34) * MICROS_PER_SECOND + micros;
    }

    public int peerType() {
        return peerType;
    }

    public int flags() {
        return flags;
    }

    /** Returns the peer distinguisher, which is a route distinguisher only for peer type 1. */
    public long distinguisher() {
        return distinguisher;
    }

    public boolean ipv6() {
        return ipv6;
    }

    public long addressHigh() {
        return addressHigh;
    }

    public long addressLow() {
        return addressLow;
    }

    /** Returns the peer's AS number, unsigned. */
    public int asn() {
        return asn;
    }

    public int bgpId() {
        return bgpId;
    }

    /**
     * Returns the time in microseconds since 1970 by the router's clock, which may be wrong by years; 0 if the header
     * contains no time, or an invalid one.
     */
    public long routerTimeMicros() {
        return routerTimeMicros;
    }

    /** Returns whether the time is invalid: a million microseconds or more. */
    public boolean hasInvalidTime() {
        return hasInvalidTime;
    }

    /** Returns whether AS_PATH has two-octet AS numbers: the A flag. */
    public boolean legacyAsPath() {
        return peerType != LOC_RIB_INSTANCE && (flags & FLAG_A) != 0;
    }

    /** Returns whether the Loc-RIB is filtered: the F flag. */
    public boolean filtered() {
        return peerType == LOC_RIB_INSTANCE && (flags & FLAG_V) != 0;
    }

    /** Returns the RIB view, from peer type, L flag and O flag. */
    public RibView view() {
        if (peerType == LOC_RIB_INSTANCE) {
            return RibView.LOC_RIB;
        }
        boolean postPolicy = (flags & FLAG_L) != 0;
        if ((flags & FLAG_O) != 0) {
            return postPolicy ? RibView.ADJ_RIB_OUT_POST_POLICY : RibView.ADJ_RIB_OUT_PRE_POLICY;
        }
        return postPolicy ? RibView.ADJ_RIB_IN_POST_POLICY : RibView.ADJ_RIB_IN_PRE_POLICY;
    }

    /**
     * Returns the text of a peer type: {@code global}, {@code rd}, {@code local}, {@code loc-rib}, or {@code type-N}.
     */
    public static String peerTypeText(int peerType) {
        return PeerType.text(peerType);
    }
}
