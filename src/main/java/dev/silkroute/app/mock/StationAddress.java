package dev.silkroute.app.mock;

import dev.silkroute.app.config.HostPort;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;

/** The host and port at which a station accepts BMP sessions. */
record StationAddress(String host, int port) {
    /** Parses {@code host:port}; an IPv6 address is in brackets. */
    static StationAddress parse(String text) {
        HostPort parsed = HostPort.parse(text);
        return new StationAddress(parsed.host(), parsed.port());
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
