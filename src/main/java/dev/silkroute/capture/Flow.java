package dev.silkroute.capture;

import dev.silkroute.net.KeyedHash;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;

/** One direction of a TCP connection. An IPv4 address is in the lower 32 bits of the low word. */
public record Flow(
        boolean ipv6,
        long sourceHigh,
        long sourceLow,
        int sourcePort,
        long destinationHigh,
        long destinationLow,
        int destinationPort) {

    /** Keyed: captures come from others. */
    @Override
    public int hashCode() {
        long ports = (long) sourcePort << 32 ^ destinationPort;
        long source = KeyedHash.of(sourceHigh, sourceLow);
        return KeyedHash.fold(KeyedHash.of(source, KeyedHash.of(destinationHigh, destinationLow), ports, ipv6 ? 1 : 0));
    }

    public String source() {
        return endpoint(sourceHigh, sourceLow, sourcePort);
    }

    public String destination() {
        return endpoint(destinationHigh, destinationLow, destinationPort);
    }

    @Override
    public String toString() {
        return source() + " > " + destination();
    }

    private String endpoint(long high, long low, int port) {
        byte[] address = ipv6
                ? ByteBuffer.allocate(16).putLong(high).putLong(low).array()
                : ByteBuffer.allocate(4).putInt((int) low).array();
        try {
            String text = InetAddress.getByAddress(address).getHostAddress();
            return (ipv6 ? "[" + text + "]" : text) + ":" + port;
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an address of " + address.length + " bytes", e);
        }
    }
}
