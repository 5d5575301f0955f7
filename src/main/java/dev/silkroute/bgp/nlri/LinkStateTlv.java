package dev.silkroute.bgp.nlri;

import dev.silkroute.net.BigEndian;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Descriptor TLVs of BGP-LS NLRI whose values have a text (RFC 9552, Section 5.2; RFC 9086, Section 5; RFC 9514,
 * Section 6). A new TLV is one constant.
 */
enum LinkStateTlv {
    AUTONOMOUS_SYSTEM(512, "as", Form.U32, true),
    BGP_LS_IDENTIFIER(513, "ls-id", Form.U32, true),
    OSPF_AREA(514, "area", Form.IPV4, true),
    IGP_ROUTER_ID(515, "router", Form.ROUTER, true),
    BGP_ROUTER_ID(516, "bgp-router", Form.IPV4, true),
    MEMBER_AS(517, "member-as", Form.U32, true),
    LINK_IDENTIFIERS(258, "link-ids", Form.U32_PAIR, false),
    IPV4_INTERFACE(259, "ipv4", Form.IPV4, false),
    IPV4_NEIGHBOR(260, "ipv4-neighbor", Form.IPV4, false),
    IPV6_INTERFACE(261, "ipv6", Form.IPV6, false),
    IPV6_NEIGHBOR(262, "ipv6-neighbor", Form.IPV6, false),
    MULTI_TOPOLOGY(263, "mt", Form.U16_LIST, false),
    OSPF_ROUTE_TYPE(264, "ospf-route-type", Form.U8, false),
    REACHABILITY(265, "prefix", Form.PREFIX, false),
    SRV6_SID(518, "sid", Form.IPV6, false);

    /** The form of a value: the lengths it may have and its text. The flag is whether the NLRI is an IPv6 prefix. */
    private enum Form {
        U8((b, from, to, ipv6) -> to - from == 1, (b, from, to, ipv6, out) -> out.append(b[from] & 0xFF)),
        U32((b, from, to, ipv6) -> to - from == 4, (b, from, to, ipv6, out) -> out.append(BigEndian.u32(b, from))),
        /** {@code 1/2}. */
        U32_PAIR(
                (b, from, to, ipv6) -> to - from == 8,
                (b, from, to, ipv6, out) ->
                        out.append(BigEndian.u32(b, from)).append('/').append(BigEndian.u32(b, from + 4))),
        /** At least one: {@code 0,2}. */
        U16_LIST((b, from, to, ipv6) -> to > from && (to - from) % 2 == 0, (b, from, to, ipv6, out) -> {
            for (int at = from; at < to; at += 2) {
                out.append(at > from ? "," : "").append(BigEndian.u16(b, at));
            }
        }),
        IPV4((b, from, to, ipv6) -> to - from == 4, (b, from, to, ipv6, out) -> AddressText.address(b, from, 4, out)),
        IPV6((b, from, to, ipv6) -> to - from == 16, (b, from, to, ipv6, out) -> AddressText.address(b, from, 16, out)),
        /**
         * The length distinguishes the protocols (RFC 9552, Section 5.2.1.4): IS-IS {@code 0000.0000.0001[.02]}, OSPF
         * {@code 192.0.2.1[+192.0.2.2]}.
         */
        ROUTER(
                (b, from, to, ipv6) -> to - from == 4 || to - from >= 6 && to - from <= 8,
                (b, from, to, ipv6, out) -> router(b, from, to, out)),
        /** {@code u8 bits | prefix}, without host bits. */
        PREFIX(
                (b, from, to, ipv6) -> isPrefix(b, from, to, ipv6 ? 128 : 32),
                (b, from, to, ipv6, out) -> AddressText.prefix(ipv6, b, from + 1, b[from] & 0xFF, out));

        @FunctionalInterface
        private interface Check {
            boolean test(byte[] b, int from, int to, boolean ipv6);
        }

        @FunctionalInterface
        private interface Text {
            void append(byte[] b, int from, int to, boolean ipv6, StringBuilder out);
        }

        private final Check check;
        private final Text text;

        Form(Check check, Text text) {
            this.check = check;
            this.text = text;
        }
    }

    private static final HexFormat HEX = HexFormat.of();

    private final int code;
    private final String label;
    private final Form form;
    /** True if the TLV is in a node descriptor. */
    private final boolean ofNode;

    LinkStateTlv(int code, String label, Form form, boolean ofNode) {
        this.code = code;
        this.label = label;
        this.form = form;
        this.ofNode = ofNode;
    }

    /** Returns the TLV with this code, in a node descriptor or beside it; null if there is none. */
    static @Nullable LinkStateTlv of(int code, boolean ofNode) {
        for (LinkStateTlv tlv : values()) {
            if (tlv.code == code && tlv.ofNode == ofNode) {
                return tlv;
            }
        }
        return null;
    }

    /** The name in texts. */
    String label() {
        return label;
    }

    /** Returns whether the value has the form of the TLV, so that its text is complete. */
    boolean fits(byte[] b, int from, int to, boolean ipv6) {
        return form.check.test(b, from, to, ipv6);
    }

    /** Appends the text of a value that fits. */
    void text(byte[] b, int from, int to, boolean ipv6, StringBuilder out) {
        form.text.append(b, from, to, ipv6, out);
    }

    private static boolean isPrefix(byte[] b, int from, int to, int maxBits) {
        int bits = to == from ? 255 : b[from] & 0xFF;
        return bits <= maxBits && to - from == 1 + (bits + 7 >>> 3) && !AddressText.hostBits(b, to, bits);
    }

    private static void router(byte[] b, int from, int to, StringBuilder out) {
        if (to - from == 4 || to - from == 8) {
            AddressText.address(b, from, 4, out);
            if (to - from == 8) {
                AddressText.address(b, from + 4, 4, out.append('+'));
            }
            return;
        }
        for (int at = from; at < to; at += 2) {
            out.append(at > from ? "." : "").append(HEX.formatHex(b, at, Math.min(at + 2, to)));
        }
    }
}
