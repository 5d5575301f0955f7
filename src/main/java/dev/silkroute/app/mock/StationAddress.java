package dev.silkroute.app.mock;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;

/** The host and port at which a station accepts BMP sessions. */
record StationAddress(String host, int port) {
    private static final int MAX_PORT = 65_535;

    /** Parses {@code host:port}; an IPv6 address is in brackets. */
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
            if (port > 0 && port <= MAX_PORT) {
                return port;
            }
        } catch (NumberFormatException e) {
            // Reported below.
        }
        throw new IllegalArgumentException("'" + text + "' is not a port between 1 and " + MAX_PORT);
    }

    /** Returns whether the host resolves to an address in 127.0.0.0/8. */
    boolean isLoopbackIpv4() {
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
