package dev.silkroute.perf.incidents;

import dev.silkroute.net.ByteSink;

/** An IPv4 prefix. */
record Prefix(int address, int length) {
    static Prefix of(int a, int b, int c, int d, int length) {
        return new Prefix(a << 24 | b << 16 | c << 8 | d, length);
    }

    /** Appends its NLRI (RFC 4271, Section 4.3). */
    void write(ByteSink out) {
        out.u8(length);
        for (int bit = 0; bit < length; bit += 8) {
            out.u8(address >>> 24 - bit & 0xFF);
        }
    }

    /** Returns whether another prefix equals this one or is more specific. */
    boolean covers(Prefix other) {
        return other.length >= length && (length == 0 || (other.address ^ address) >>> 32 - length == 0);
    }

    static Prefix parse(String text) {
        String[] parts = text.split("[./]", -1);
        return of(
                Integer.parseInt(parts[0]),
                Integer.parseInt(parts[1]),
                Integer.parseInt(parts[2]),
                Integer.parseInt(parts[3]),
                Integer.parseInt(parts[4]));
    }

    @Override
    public String toString() {
        return "%d.%d.%d.%d/%d"
                .formatted(address >>> 24, address >>> 16 & 0xFF, address >>> 8 & 0xFF, address & 0xFF, length);
    }
}
