package dev.silkroute.app.config;

import inet.ipaddr.IPAddressString;

/** Converts host names and addresses between plain text and URIs, where an IPv6 address is in brackets (RFC 3986). */
public final class Host {
    private Host() {}

    public static String bare(String host) {
        return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
    }

    public static String inUri(String host) {
        return bare(host).indexOf(':') < 0 ? host : "[" + bare(host) + "]";
    }

    /** Returns whether a host is localhost or a loopback address in any form. Names are not resolved. */
    public static boolean isLoopback(String host) {
        var address = new IPAddressString(bare(host)).getAddress();
        return address == null ? host.equalsIgnoreCase("localhost") : address.isLoopback();
    }
}
