package dev.silkroute.net;

import inet.ipaddr.AddressStringException;
import inet.ipaddr.AddressStringParameters.RangeParameters;
import inet.ipaddr.IPAddress;
import inet.ipaddr.IPAddressString;
import inet.ipaddr.IPAddressStringParameters;
import inet.ipaddr.IncompatibleAddressException;
import java.net.InetAddress;
import java.util.Comparator;

/**
 * A prefix that a user has entered. An address is a prefix of full length. Bits after the prefix length are 0.
 *
 * @param high upper 64 bits of an IPv6 address, 0 for IPv4
 * @param low lower 64 bits of an IPv6 address, or the IPv4 address in the lower 32 bits
 * @param length bits of the prefix, 0 to 32 or 0 to 128
 */
public record IpPrefix(boolean ipv6, long high, long low, int length) {
    /** IPv4 before IPv6, then by address, then by length, so that a prefix is before those that it covers. */
    public static final Comparator<IpPrefix> ORDER = IpPrefix::compare;

    /** Bits before the IPv4 address in an IPv4-mapped one, {@code ::ffff:0:0/96}. */
    private static final int MAPPED_BITS = 96;

    private static final long MAPPED = 0xFFFFL;

    /** One address or one prefix: no wildcards, ranges, masks, zones, or dotted quads with fewer than four numbers. */
    private static final IPAddressStringParameters STRICT = new IPAddressStringParameters.Builder()
            .allowEmpty(false)
            .allowAll(false)
            .allowSingleSegment(false)
            .allowMask(false)
            .allowPrefixOnly(false)
            .setRangeOptions(RangeParameters.NO_RANGE)
            .getIPv4AddressParametersBuilder()
            .allow_inet_aton(false)
            .allowBinary(false)
            .getParentBuilder()
            .getIPv6AddressParametersBuilder()
            .allowZone(false)
            .allowBase85(false)
            .allowBinary(false)
            .getEmbeddedIPv4AddressParametersBuilder()
            .allow_inet_aton(false)
            .getEmbeddedIPv4AddressParentBuilder()
            .getParentBuilder()
            .toParams();

    /**
     * Parses {@code 192.0.2.1}, {@code 192.0.2.0/24} or {@code 2001:db8::/32} and clears host bits. An IPv4-mapped IPv6
     * address or prefix is the IPv4 address or prefix in it.
     *
     * @throws IllegalArgumentException if the text is neither an address nor a prefix; the message quotes the text
     */
    public static IpPrefix parse(String text) {
        IpPrefix usual = UsualPrefix.parse(text);
        return usual == null ? parseWithLibrary(text) : usual;
    }

    /** Parses as {@link #parse} does, but any text. */
    static IpPrefix parseWithLibrary(String text) {
        IPAddressString parsed = new IPAddressString(text, STRICT);
        try {
            IPAddress address = parsed.toHostAddress();
            if (address != null && text.equals(text.strip())) {
                Integer length = parsed.getNetworkPrefixLength();
                byte[] bytes = address.getBytes();
                int bits = length == null ? 8 * bytes.length : length;
                return bytes.length == 4
                        ? ipv4(BigEndian.i32(bytes, 0), bits)
                        : ipv6(BigEndian.i64(bytes, 0), BigEndian.i64(bytes, 8), bits);
            }
        } catch (AddressStringException | IncompatibleAddressException e) {
            throw new IllegalArgumentException(invalid(text), e);
        }
        throw new IllegalArgumentException(invalid(text));
    }

    private static String invalid(String text) {
        String family = text.indexOf(':') >= 0 ? "IPv6" : "IPv4";
        return "'" + text + "' is not a valid " + family + (text.indexOf('/') >= 0 ? " prefix" : " address");
    }

    static IpPrefix ipv4(int address, int length) {
        return new IpPrefix(false, 0, Integer.toUnsignedLong(Addresses.maskIpv4(address, length)), length);
    }

    static IpPrefix ipv6(long high, long low, int length) {
        if (high == 0 && low >>> 32 == MAPPED && length >= MAPPED_BITS) {
            return ipv4((int) low, length - MAPPED_BITS);
        }
        return new IpPrefix(true, Addresses.maskHigh(high, length), Addresses.maskLow(low, length), length);
    }

    private static int compare(IpPrefix a, IpPrefix b) {
        if (a.ipv6 != b.ipv6) {
            return a.ipv6 ? 1 : -1;
        }
        int order = Long.compareUnsigned(a.high, b.high);
        if (order == 0) {
            order = Long.compareUnsigned(a.low, b.low);
        }
        return order == 0 ? Integer.compare(a.length, b.length) : order;
    }

    /** Returns the prefix of this length that covers this one, which is not shorter. */
    public IpPrefix truncate(int bits) {
        return ipv6 ? ipv6(high, low, bits) : ipv4((int) low, bits);
    }

    /** Returns whether another prefix is this one or a more specific one. */
    public boolean covers(IpPrefix other) {
        return ipv6 == other.ipv6
                && length <= other.length
                && other.truncate(length).equals(this);
    }

    /** Returns whether an address is of this prefix's family and inside it. */
    public boolean covers(InetAddress address) {
        byte[] bytes = address.getAddress();
        if (bytes.length == 4) {
            return !ipv6 && Addresses.maskIpv4(BigEndian.i32(bytes, 0), length) == (int) low;
        }
        return ipv6
                && Addresses.maskHigh(BigEndian.i64(bytes, 0), length) == high
                && Addresses.maskLow(BigEndian.i64(bytes, 8), length) == low;
    }

    /** Keyed: prefixes come from routers, RTR caches, files and clients. */
    @Override
    public int hashCode() {
        return KeyedHash.fold(KeyedHash.of(high, low, length, ipv6 ? 1 : 0));
    }

    @Override
    public String toString() {
        return Addresses.prefix(ipv6, high, low, length);
    }
}
