package dev.silkroute.load;

import dev.silkroute.net.ByteSink;

/**
 * FlowSpec rules of a destination prefix, protocol UDP and a destination port (RFC 8955, Section 4.2; RFC 8956, Section
 * 3.1).
 */
final class FlowSpecNlriSeries extends NlriSeries {
    private static final int DESTINATION = 1;
    private static final int PROTOCOL = 3;
    private static final int DESTINATION_PORT = 5;
    private static final int UDP = 17;

    // Operators "end of list, equal", with a value of one byte and of two (RFC 8955, Section 4.2.1.1).
    private static final int EQUAL_U8 = 0x81;
    private static final int EQUAL_U16 = 0x91;

    private final PrefixTable prefixes;

    FlowSpecNlriSeries(int family, PrefixTable prefixes) {
        super(family);
        this.prefixes = prefixes;
    }

    PrefixTable prefixes() {
        return prefixes;
    }

    static int port(int i) {
        return 8000 + i % 100;
    }

    @Override
    void write(int i, boolean withdrawal, ByteSink out) {
        int start = out.position();
        out.u8(0).u8(DESTINATION).u8(prefixes.length(i));
        if (prefixes.ipv6()) {
            out.u8(0); // offset
        }
        address(prefixes, i, out);
        out.u8(PROTOCOL).u8(EQUAL_U8).u8(UDP);
        out.u8(DESTINATION_PORT).u8(EQUAL_U16).u16(port(i));
        out.patchU8(start, out.position() - start - 1);
    }
}
