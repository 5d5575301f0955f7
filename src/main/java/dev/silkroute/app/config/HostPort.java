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
        String host = colon < 0 ? "" : text.substring(0, colon);
        boolean bracketed = host.startsWith("[") && host.endsWith("]");
        if (host.isEmpty() || (host.indexOf(':') >= 0 && !bracketed)) {
            throw new IllegalArgumentException("must be HOST:PORT, an IPv6 address in brackets");
        }
        return new HostPort(host, port(text.substring(colon + 1)));
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

    @Override
    public String toString() {
        return host + ":" + port;
    }
}
