package dev.silkroute.load;

import dev.silkroute.net.ByteSink;

/** Destination prefix, protocol UDP and a destination port (RFC 8955, Section 4.2; RFC 8956, Section 3.1). */
final class FlowSpecNlris extends Nlris {
    private static final int DESTINATION = 1;
    private static final int PROTOCOL = 3;
    private static final int DESTINATION_PORT = 5;
    private static final int UDP = 17;

    /** The last operator of a component, "equal", with a value of one byte, and of two. */
    private static final int EQUAL_U8 = 0x81;

    private static final int EQUAL_U16 = 0x91;

    private final PrefixTable prefixes;

    FlowSpecNlris(int family, PrefixTable prefixes) {
        super(family);
        this.prefixes = prefixes;
    }

    private static int port(int i) {
        return 8000 + i % 100;
    }

    @Override
    String text(int i) {
        return "dst=" + prefix(prefixes, i) + " proto=17 dport=" + port(i);
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
