package dev.silkroute.bgp.nlri;

import dev.silkroute.net.Addresses;
import dev.silkroute.net.BigEndian;
import dev.silkroute.net.ByteSink;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Descriptors of BGP-LS NLRI whose values have a text (RFC 9552, Section 5.2; RFC 9086, Section 5; RFC 9514, Section 6). */
enum LinkStateTlv {
    AUTONOMOUS_SYSTEM(512, "as", Kind.NUMBER, true),
    BGP_LS_IDENTIFIER(513, "ls-id", Kind.NUMBER, true),
    OSPF_AREA(514, "area", Kind.IPV4, true),
    IGP_ROUTER_ID(515, "router", Kind.ROUTER, true),
    BGP_ROUTER_ID(516, "bgp-router", Kind.IPV4, true),
    MEMBER_AS(517, "member-as", Kind.NUMBER, true),
    LINK_IDENTIFIERS(258, "link-ids", Kind.PAIR, false),
    IPV4_INTERFACE(259, "ipv4", Kind.IPV4, false),
    IPV4_NEIGHBOR(260, "ipv4-neighbor", Kind.IPV4, false),
    IPV6_INTERFACE(261, "ipv6", Kind.IPV6, false),
    IPV6_NEIGHBOR(262, "ipv6-neighbor", Kind.IPV6, false),
    MULTI_TOPOLOGY(263, "mt", Kind.U16_LIST, false),
    OSPF_ROUTE_TYPE(264, "ospf-route-type", Kind.U8, false),
    REACHABILITY(265, "prefix", Kind.PREFIX, false),
    SRV6_SID(518, "sid", Kind.IPV6, false);

    private enum Kind {
        U8,
        /** u32. */
        NUMBER,
        /** Two u32: {@code 1/2}. */
        PAIR,
        /** u16, one or more: {@code 0,2}. */
        U16_LIST,
        IPV4,
        IPV6,
        /** Told by its length (RFC 9552, Section 5.2.1.4): IS-IS {@code 0000.0000.0001[.02]}, OSPF {@code 192.0.2.1[+192.0.2.2]}. */
        ROUTER,
        /** u8 bits | prefix. */
        PREFIX
    }

    private static final HexFormat HEX = HexFormat.of();

    final int code;
    /** The name in texts. */
    final String text;

    private final Kind kind;
    private final boolean ofNode;

    LinkStateTlv(int code, String text, Kind kind, boolean ofNode) {
        this.code = code;
        this.text = text;
        this.kind = kind;
        this.ofNode = ofNode;
    }

    static @Nullable LinkStateTlv of(int code, boolean ofNode) {
        for (LinkStateTlv tlv : values()) {
            if (tlv.code == code && tlv.ofNode == ofNode) {
                return tlv;
            }
        }
        return null;
    }

    static @Nullable LinkStateTlv of(String text, boolean ofNode) {
        for (LinkStateTlv tlv : values()) {
            if (tlv.text.equals(text) && tlv.ofNode == ofNode) {
                return tlv;
            }
        }
        return null;
    }

    /** Whether the value is what the TLV should have, so that its text says all of it. */
    boolean fits(byte[] b, int from, int to, boolean ipv6) {
        int length = to - from;
        return switch (kind) {
            case U8 -> length == 1;
            case NUMBER, IPV4 -> length == 4;
            case PAIR -> length == 8;
            case IPV6 -> length == 16;
            case U16_LIST -> length > 0 && length % 2 == 0;
            case ROUTER -> length == 4 || length >= 6 && length <= 8;
            case PREFIX -> {
                int bits = length == 0 ? 255 : b[from] & 0xFF;
                yield bits <= (ipv6 ? 128 : 32) && length == 1 + (bits + 7 >>> 3) && !AddressText.hostBits(b, to, bits);
            }
        };
    }

    void text(byte[] b, int from, int to, boolean ipv6, StringBuilder out) {
        switch (kind) {
            case U8 -> out.append(b[from] & 0xFF);
            case NUMBER -> out.append(BigEndian.u32(b, from));
            case PAIR -> out.append(BigEndian.u32(b, from)).append('/').append(BigEndian.u32(b, from + 4));
            case IPV4, IPV6 -> AddressText.address(b, from, to - from, out);
            case PREFIX -> AddressText.prefix(ipv6, b, from + 1, b[from] & 0xFF, out);
            case ROUTER -> router(b, from, to, out);
            case U16_LIST -> {
                for (int at = from; at < to; at += 2) {
                    out.append(at > from ? "," : "").append(BigEndian.u16(b, at));
                }
            }
        }
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

    void parse(String value, boolean ipv6, ByteSink out) {
        switch (kind) {
            case U8 -> out.u8((int) NlriTokens.number(value, 0xFF));
            case NUMBER -> number(value, out);
            case PAIR -> {
                int slash = Math.max(value.indexOf('/'), 0);
                number(value.substring(0, slash), out);
                number(value.substring(slash + 1), out);
            }
            case IPV4 -> AddressText.parse(value, 4, out);
            case IPV6 -> AddressText.parse(value, 16, out);
            case PREFIX -> {
                int at = out.position();
                out.u8(0);
                out.patchU8(at, AddressText.parsePrefix(ipv6, value, out));
            }
            case ROUTER -> parseRouter(value, out);
            case U16_LIST -> {
                for (String number : value.split(",", -1)) {
                    out.u16((int) NlriTokens.number(number, 0xFFFF));
                }
            }
        }
    }

    private static void number(String value, ByteSink out) {
        out.u32((int) NlriTokens.number(value, 0xFFFF_FFFFL));
    }

    /** An IS-IS identifier has four digits before its first dot, a dotted quad at most three. */
    private static void parseRouter(String value, ByteSink out) {
        if (value.indexOf('.') == 4) {
            byte[] system = HEX.parseHex(value.replace(".", ""));
            if (system.length != 6 && system.length != 7) {
                throw new IllegalArgumentException("no IS-IS system or node identifier: " + value);
            }
            out.bytes(system, 0, system.length);
            return;
        }
        for (String part : value.split("\\+", 2)) {
            out.u32((int) Addresses.parseIpv4(part));
        }
    }
}
