package dev.silkroute.bgp.attribute;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;

/** Addresses from their texts. Names are never looked up. */
final class AddressParser {
    private static final Pattern IPV6 = Pattern.compile("[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");

    private AddressParser() {}

    /** The 32 bits of a dotted quad. */
    static long ipv4(String text) {
        String[] parts = text.split("\\.", -1);
        if (parts.length != 4) {
            throw new IllegalArgumentException("no IPv4 address: " + text);
        }
        long address = 0;
        for (String part : parts) {
            address = address << 8 | CommunityCodecs.unsigned(part, 8);
        }
        return address;
    }

    /** The 16 bytes of an IPv6 address, of an IPv4-mapped one too. */
    static byte[] ipv6(String text) {
        if (!IPV6.matcher(text).matches()) {
            throw new IllegalArgumentException("no IPv6 address: " + text);
        }
        try {
            InetAddress address = InetAddress.getByName(text);
            if (address instanceof Inet6Address) {
                return address.getAddress();
            }
            byte[] mapped = new byte[16];
            mapped[10] = (byte) 0xFF;
            mapped[11] = (byte) 0xFF;
            System.arraycopy(address.getAddress(), 0, mapped, 12, 4);
            return mapped;
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("no IPv6 address: " + text, e);
        }
    }
}
