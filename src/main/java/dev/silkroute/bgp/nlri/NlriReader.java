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

    /** The family of the NLRI before, which mostly is the next one's too; what follows says what it has. */
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

    /** @throws dev.silkroute.net.DecodeException if no whole NLRI of the family is at {@code pos} */
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

    /** Takes over what another has read. */
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

    /** Bytes after the NLRI may be read along: what is behind the prefix length is masked. */
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

    /** The less than eight bytes that the array has from {@code at} on, as the upper ones of a long. */
    private static long lastBytes(byte[] b, int at) {
        long bytes = 0;
        for (int i = at, shift = 56; i < b.length && shift >= 0; i++, shift -= 8) {
            bytes |= (b[i] & 0xFFL) << shift;
        }
        return bytes;
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
