package dev.silkroute.app.rpki;

/** The host and port of an RTR cache. */
record CacheAddress(String host, int port) {
    /** The port of RTR over TCP (RFC 8210, Section 14). */
    private static final int DEFAULT_PORT = 323;

    private static final int MAX_PORT = 65_535;

    /**
     * Parses {@code host}, {@code host:port} or {@code [2001:db8::1]:port}.
     *
     * @throws IllegalArgumentException if the text is not an address; the message quotes it
     */
    static CacheAddress parse(String text) {
        int colon = text.endsWith("]") ? -1 : text.lastIndexOf(':');
        String host = colon < 0 ? text : text.substring(0, colon);
        boolean bracketed = host.startsWith("[") && host.endsWith("]");
        if (host.isEmpty() || host.contains(" ") || (host.indexOf(':') >= 0 && !bracketed)) {
            throw new IllegalArgumentException("'" + text + "' is not HOST:PORT, an IPv6 address in brackets");
        }
        return new CacheAddress(host, colon < 0 ? DEFAULT_PORT : port(text.substring(colon + 1)));
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
