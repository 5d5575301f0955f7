package dev.silkroute.bgp.nlri;

import dev.silkroute.net.Addresses;
import dev.silkroute.net.BigEndian;
import dev.silkroute.net.Family;

/**
 * Reads the fields of one NLRI after another without allocation. {@link NlriFormat} has the layouts. The array must not
 * change between {@link #read} and the accessors. Not thread-safe.
 */
public final class NlriReader {
    /** At most ten, because an NLRI has at most 255 bits. */
    private final int[] labels = new int[10];

    /** The family that the fields below describe, of the previous NLRI: mostly it is that of the next one too. */
    private int family;

    private boolean prefix;
    private boolean ipv6;
    private boolean hasLabels;
    private boolean hasRd;

    private int from;
    private int to;
    private boolean hasPathId;
    private int pathId;
    private int prefixLength;
    private long addressHigh;
    private long addressLow;
    private long rd;
    private int labelCount;

    /**
     * Reads the NLRI at {@code pos}.
     *
     * @throws dev.silkroute.net.DecodeException if the bytes do not begin with a whole NLRI of the family
     */
    public void read(int familyOfNlri, byte[] b, int pos, int limit, boolean addPath, boolean withdrawal) {
        if (familyOfNlri != family) {
            enter(familyOfNlri);
        }
        to = NlriFormat.end(family, b, pos, limit, addPath, withdrawal);
        from = addPath ? pos + 4 : pos;
        hasPathId = addPath;
        pathId = addPath ? BigEndian.i32(b, pos) : 0;
        rd = 0;
        labelCount = 0;
        prefixLength = 0;
        addressHigh = 0;
        addressLow = 0;
        if (prefix) {
            readPrefix(b, withdrawal);
        }
    }

    /** Copies the fields that another reader has read. */
    public void copy(NlriReader other) {
        if (family != other.family) {
            enter(other.family);
        }
        from = other.from;
        to = other.to;
        hasPathId = other.hasPathId;
        pathId = other.pathId;
        prefixLength = other.prefixLength;
        addressHigh = other.addressHigh;
        addressLow = other.addressLow;
        rd = other.rd;
        labelCount = other.labelCount;
        for (int i = 0; i < labelCount; i++) {
            labels[i] = other.labels[i];
        }
    }

    private void enter(int next) {
        family = next;
        prefix = NlriFormat.isPrefix(next);
        ipv6 = prefix && Family.afi(next) == Family.AFI_IPV6;
        hasLabels = NlriFormat.hasLabels(next);
        hasRd = NlriFormat.hasRouteDistinguisher(next);
    }

    private void readPrefix(byte[] b, boolean withdrawal) {
        int bits = b[from] & 0xFF;
        int at = from + 1;
        if (hasLabels) {
            int label;
            do {
                label = BigEndian.u24(b, at);
                at += 3;
                bits -= 24;
                if (!withdrawal) {
                    labels[labelCount++] = label >>> 4;
                }
            } while (!withdrawal && !NlriFormat.endsStack(label));
        }
        if (hasRd) {
            rd = BigEndian.i64(b, at);
            at += 8;
            bits -= 64;
        }
        prefixLength = bits;
        if (ipv6) {
            readIpv6(b, at);
        } else {
            readIpv4(b, at);
        }
    }

    /** Reads whole words, also past the end of the NLRI: bits after the prefix length are masked. */
    private void readIpv4(byte[] b, int at) {
        int address = b.length - at >= 4 ? BigEndian.i32(b, at) : (int) (lastBytes(b, at) >>> 32);
        addressLow = Integer.toUnsignedLong(Addresses.maskIpv4(address, prefixLength));
    }

    private void readIpv6(byte[] b, int at) {
        long high = b.length - at >= 8 ? BigEndian.i64(b, at) : lastBytes(b, at);
        long low = b.length - at >= 16 ? BigEndian.i64(b, at + 8) : lastBytes(b, at + 8);
        addressHigh = Addresses.maskHigh(high, prefixLength);
        addressLow = Addresses.maskLow(low, prefixLength);
    }

    /**
     * Returns the fewer than eight bytes from {@code at} to the end of the array as the most significant ones of a
     * long.
     */
    private static long lastBytes(byte[] b, int at) {
        long bytes = 0;
        for (int i = at, shift = 56; i < b.length && shift >= 0; i++, shift -= 8) {
            bytes |= (b[i] & 0xFFL) << shift;
        }
        return bytes;
    }

    /** Returns the offset of the NLRI after its path identifier. */
    public int from() {
        return from;
    }

    public int to() {
        return to;
    }

    public boolean hasPathId() {
        return hasPathId;
    }

    /**
     * Returns the path identifier, unsigned; 0 without one, see {@link #hasPathId}, because 0 is a path identifier too.
     */
    public int pathId() {
        return pathId;
    }

    /**
     * Returns whether this is a unicast, multicast, labelled or VPN prefix. The accessors below are valid for prefixes
     * only.
     */
    public boolean isPrefix() {
        return prefix;
    }

    public boolean ipv6() {
        return ipv6;
    }

    /** Returns the bits of the address, without labels and route distinguisher. */
    public int prefixLength() {
        return prefixLength;
    }

    /**
     * Returns the upper 64 bits of an IPv6 address, 0 for IPv4. Bits after the prefix length are 0 (RFC 4271, Section
     * 4.3).
     */
    public long addressHigh() {
        return addressHigh;
    }

    /** Returns the lower 64 bits of an IPv6 address, or an IPv4 address in the lower 32 bits. */
    public long addressLow() {
        return addressLow;
    }

    public boolean hasRd() {
        return hasRd;
    }

    public long rd() {
        return rd;
    }

    /** Returns the number of labels; 0 in a withdrawal, whose label field has no meaning (RFC 8277, Section 2.4). */
    public int labelCount() {
        return labelCount;
    }

    /** Returns a 20-bit label; label 0 is the outermost. */
    public int label(int i) {
        if (i >= labelCount) {
            throw new IndexOutOfBoundsException(i);
        }
        return labels[i];
    }
}
