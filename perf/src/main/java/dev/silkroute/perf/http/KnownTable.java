package dev.silkroute.perf.http;

import static dev.silkroute.fixture.TestMessages.attribute;
import static dev.silkroute.fixture.TestMessages.initiation;
import static dev.silkroute.fixture.TestMessages.join;
import static dev.silkroute.fixture.TestMessages.monitoring;
import static dev.silkroute.fixture.TestMessages.peerUp;
import static dev.silkroute.fixture.TestMessages.update;

import dev.silkroute.net.ByteSink;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A table whose routes follow from their number: route {@code n} is the {@code n}th /24 from 16.0.0.0 on, and every
 * hundred routes have an AS path of their own.
 *
 * @param routes at most {@link #MAX_ROUTES}
 */
record KnownTable(int routes) {
    static final String ROUTER = "known";
    static final int MAX_ROUTES = 1 << 22;

    /** Covers the first {@link #COVERED} prefixes. */
    static final String COVERING = "16.0.0.0/7";

    static final int COVERED = 1 << 17;

    private static final int FIRST = 16 << 24;
    private static final int PER_UPDATE = 100;
    private static final int PEER_ASN = 65_001;
    private static final long TRANSIT_ASN = 100_000;
    private static final long ORIGIN_ASN = 4_200_000_000L;
    private static final String PEER = "192.0.2.77";

    /** Writes a BMP session that announces the table, with its End-of-RIB. */
    void write(Path file) throws IOException {
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
            out.write(join(initiation(ROUTER), peerUp(PEER)));
            for (int first = 0; first < routes; first += PER_UPDATE) {
                ByteSink prefixes = new ByteSink();
                for (int n = first; n < Math.min(first + PER_UPDATE, routes); n++) {
                    prefixes.u8(24).u8(16 + (n >> 16)).u16(n);
                }
                out.write(monitoring(update(new byte[0], attributes(first / PER_UPDATE), prefixes.toByteArray())));
            }
            out.write(monitoring(update(new byte[0], new byte[0], new byte[0])));
        }
    }

    private static byte[] attributes(int group) {
        byte[] path = new ByteSink()
                .u8(2)
                .u8(3)
                .u32(PEER_ASN)
                .u32((int) (TRANSIT_ASN + group))
                .u32((int) (ORIGIN_ASN + group))
                .toByteArray();
        return join(attribute(0x40, 1, new byte[] {0}), attribute(0x40, 2, path), attribute(0x40, 3, new byte[] {
            (byte) 192, 0, 2, 77
        }));
    }

    static String prefix(int n) {
        return text(FIRST + (n << 8)) + "/24";
    }

    /** Returns an address within the prefix of a route. */
    static String address(int n) {
        return text(FIRST + (n << 8) + 1 + n % 250);
    }

    static String path(int n) {
        int group = n / PER_UPDATE;
        return PEER_ASN + " " + (TRANSIT_ASN + group) + " " + (ORIGIN_ASN + group);
    }

    private static String text(int address) {
        return (address >>> 24) + "." + (address >>> 16 & 0xFF) + "." + (address >>> 8 & 0xFF) + "." + (address & 0xFF);
    }
}
