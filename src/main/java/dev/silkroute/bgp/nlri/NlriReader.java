package dev.silkroute.bgp.nlri;

import dev.silkroute.net.Addresses;
import dev.silkroute.net.BigEndian;
import dev.silkroute.net.Family;

/**
 * One NLRI as fields, read again and again without allocation. Layouts: {@link NlriFormat}. Not thread-safe; the array must not change
 * between {@link #read} and the accessors.
 */
public final class NlriReader {
    /** 255 bits hold ten labels. */
    private final int[] labels = new int[10];

    private int from;
    private int to;
    private boolean hasPathId;
    private int pathId;
    private boolean prefix;
    private boolean ipv6;
    private int prefixLength;
    private long addressHigh;
    private long addressLow;
    private boolean hasRd;
    private long rd;
    private int labelCount;

    /** @throws dev.silkroute.net.DecodeException if no whole NLRI of the family is at {@code pos} */
    public void read(int family, byte[] b, int pos, int limit, boolean addPath, boolean withdrawal) {
        to = NlriFormat.end(family, b, pos, limit, addPath, withdrawal);
        from = addPath ? pos + 4 : pos;
        hasPathId = addPath;
        pathId = addPath ? BigEndian.i32(b, pos) : 0;
        prefix = NlriFormat.isPrefix(family);
        ipv6 = prefix && Family.afi(family) == Family.AFI_IPV6;
        hasRd = false;
        rd = 0;
        labelCount = 0;
        prefixLength = 0;
        addressHigh = 0;
        addressLow = 0;
        if (prefix) {
            readPrefix(family, b, withdrawal);
        }
    }

    private void readPrefix(int family, byte[] b, boolean withdrawal) {
        int bits = b[from] & 0xFF;
        int at = from + 1;
        if (NlriFormat.hasLabels(family)) {
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
        if (NlriFormat.hasRouteDistinguisher(family)) {
            hasRd = true;
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

    private void readIpv4(byte[] b, int at) {
        int address = 0;
        int shift = 24;
        for (int i = at; i < to; i++, shift -= 8) {
            address |= (b[i] & 0xFF) << shift;
        }
        addressLow = Integer.toUnsignedLong(Addresses.maskIpv4(address, prefixLength));
    }

    private void readIpv6(byte[] b, int at) {
        long high = 0;
        long low = 0;
        int middle = Math.min(to, at + 8);
        int shift = 56;
        for (int i = at; i < middle; i++, shift -= 8) {
            high |= (b[i] & 0xFFL) << shift;
        }
        shift = 56;
        for (int i = middle; i < to; i++, shift -= 8) {
            low |= (b[i] & 0xFFL) << shift;
        }
        addressHigh = Addresses.maskHigh(high, prefixLength);
        addressLow = Addresses.maskLow(low, prefixLength);
    }

    /** Offset of the NLRI after its path identifier. */
    public int from() {
        return from;
    }

    public int to() {
        return to;
    }

    public boolean hasPathId() {
        return hasPathId;
    }

    /** The path identifier, read unsigned; 0 if there is none, which is not the same as path identifier 0. */
    public int pathId() {
        return pathId;
    }

    /** Whether this is a unicast, multicast, labelled or VPN prefix; the accessors below hold only then. */
    public boolean isPrefix() {
        return prefix;
    }

    public boolean ipv6() {
        return ipv6;
    }

    /** Bits of the address, without labels and route distinguisher. */
    public int prefixLength() {
        return prefixLength;
    }

    /** Upper 64 bits of an IPv6 address, 0 for IPv4. Bits after the prefix length are 0: they carry no meaning (RFC 4271, Section 4.3). */
    public long addressHigh() {
        return addressHigh;
    }

    /** Lower 64 bits of an IPv6 address, or an IPv4 address in the lower 32 bits. */
    public long addressLow() {
        return addressLow;
    }

    public boolean hasRd() {
        return hasRd;
    }

    public long rd() {
        return rd;
    }

    /** Number of labels; 0 in a withdrawal, where the field means nothing (RFC 8277, Section 2.4). */
    public int labelCount() {
        return labelCount;
    }

    /** The 20-bit label, outermost first. */
    public int label(int i) {
        if (i >= labelCount) {
            throw new IndexOutOfBoundsException(i);
        }
        return labels[i];
    }
}
