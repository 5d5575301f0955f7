package dev.silkroute.app.mock;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;

/** Where a station listens. */
record StationAddress(String host, int port) {
    /** Reads {@code host:port}, an IPv6 address in brackets. */
    static StationAddress parse(String text) {
        int colon = text.lastIndexOf(':');
        String host = colon < 0 ? "" : text.substring(0, colon);
        boolean bracketed = host.startsWith("[") && host.endsWith("]");
        if (host.isEmpty() || (host.indexOf(':') >= 0 && !bracketed)) {
            throw new IllegalArgumentException("must be HOST:PORT, an IPv6 address in brackets");
        }
        return new StationAddress(host, port(text.substring(colon + 1)));
    }

    private static int port(String text) {
        try {
            int port = Integer.parseInt(text);
            if (port > 0 && port < 65_536) {
                return port;
            }
        } catch (NumberFormatException e) {
            // Said below.
        }
        throw new IllegalArgumentException("'" + text + "' is not a port between 1 and 65535");
    }

    /** Whether the name or address leads to 127.0.0.0/8. */
    boolean loopbackIpv4() {
        try {
            return InetAddress.getByName(host) instanceof Inet4Address address && address.isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }

    @Override
    public String toString() {
        return host + ":" + port;
    }
}
