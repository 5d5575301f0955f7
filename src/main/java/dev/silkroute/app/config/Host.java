package dev.silkroute.app.config;

/** A host's name or address: an IPv6 address stands in brackets within a URI (RFC 3986, Section 3.2.2), elsewhere without. */
public final class Host {
    private Host() {}

    public static String bare(String host) {
        return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
    }

    public static String inUri(String host) {
        return bare(host).indexOf(':') < 0 ? host : "[" + bare(host) + "]";
    }
}
