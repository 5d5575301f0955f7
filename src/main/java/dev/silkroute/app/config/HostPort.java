package dev.silkroute.app.config;

/** A host, by name or address, and a port. */
public record HostPort(String host, int port) {
    private static final int MAX_PORT = 65_535;

    /**
     * Parses {@code host:port}; an IPv6 address is in brackets.
     *
     * @throws IllegalArgumentException if the text has another form
     */
    public static HostPort parse(String text) {
        int colon = text.lastIndexOf(':');
        return new HostPort(host(colon < 0 ? "" : text.substring(0, colon), text), port(text, colon + 1));
    }

    /**
     * Parses {@code host} or {@code host:port}; an IPv6 address is in brackets.
     *
     * @throws IllegalArgumentException if the text has another form
     */
    public static HostPort parse(String text, int defaultPort) {
        boolean hasPort = !text.endsWith("]") && text.indexOf(':') >= 0;
        return hasPort ? parse(text) : new HostPort(host(text, text), defaultPort);
    }

    private static String host(String host, String text) {
        boolean bracketed = host.startsWith("[") && host.endsWith("]");
        if (host.isEmpty() || host.contains(" ") || (host.indexOf(':') >= 0 && !bracketed)) {
            throw new IllegalArgumentException("'" + text + "' is not HOST:PORT, an IPv6 address in brackets");
        }
        return host;
    }

    private static int port(String text, int from) {
        try {
            int port = Integer.parseInt(text, from, text.length(), 10);
            if (port > 0 && port <= MAX_PORT) {
                return port;
            }
        } catch (NumberFormatException e) {
            // Reported below.
        }
        throw new IllegalArgumentException("'" + text + "' has no port between 1 and " + MAX_PORT);
    }

    @Override
    public String toString() {
        return host + ":" + port;
    }
}
