package dev.silkroute.bgp.nlri;

import static dev.silkroute.bgp.nlri.FieldType.*;

import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Hex;
import org.jspecify.annotations.Nullable;

/**
 * Families whose NLRI begin with a type and a length in bytes. A route type is one row of {@link #layouts}, from which
 * validation, text and route key follow.
 *
 * <pre>
 * u8 type | u8 bytes | route
 * </pre>
 *
 * EVPN: RFC 7432, Section 7; type 5 RFC 9136, Section 3; types 6 to 8 RFC 9251, Section 9; types 9 to 11 RFC 9572,
 * Section 3. Their rules of "BGP route key processing" decide which fields are attributes of the route rather than part
 * of its key. MCAST-VPN: RFC 6514, Section 4. Routes of a type without a layout are shown in hex.
 *
 * <p>Example, an inclusive multicast route: {@code 03 11 0000fbf400000001 00000000 20 c0000201} has the text
 * {@code inclusive-multicast rd=64500:1 etag=0 originator=192.0.2.1}.
 */
enum TypedNlri implements NlriCodec {
    EVPN(NlriFault.EVPN, NlriFault.EVPN_FIELDS) {
        @Override
        void layouts() {
            Layout rd = Layout.of().with("rd", DISTINGUISHER);
            Layout tag = rd.with("etag", U32);
            Layout segment = rd.with("esi", SEGMENT).with("etag", U32);
            Layout segmentAside = rd.withAttribute("esi", SEGMENT).with("etag", U32);
            add(1, "ethernet-ad", segment.withAttribute("label", LABEL));
            add(
                    2,
                    "mac-ip",
                    segmentAside.with("mac", MAC).with("ip", OPTIONAL_ADDRESS).withAttribute("label", LABELS));
            add(3, "inclusive-multicast", tag.with("originator", ADDRESS));
            add(4, "ethernet-segment", rd.with("esi", SEGMENT).with("originator", ADDRESS));
            add(
                    5,
                    "ip-prefix",
                    segmentAside
                            .with("prefix", IPV4_PREFIX)
                            .withAttribute("gateway", IPV4)
                            .withAttribute("label", LABEL),
                    segmentAside
                            .with("prefix", IPV6_PREFIX)
                            .withAttribute("gateway", IPV6)
                            .withAttribute("label", LABEL));
            add(6, "selective-multicast", group(tag).withAttribute("flags", U8));
            add(7, "membership-report-sync", group(segment).withAttribute("flags", U8));
            add(
                    8,
                    "leave-sync",
                    group(segment)
                            .withAttribute("reserved", U32)
                            .withAttribute("max-response-time", U8)
                            .withAttribute("flags", U8));
            add(9, "per-region-i-pmsi", tag.with("region", EIGHT_BYTES));
            add(10, "s-pmsi", group(tag));
            add(LEAF, "leaf", Layout.of().with("route-key", ROUTE_KEY).with("originator", ADDRESS));
        }
    },
    MCAST_VPN(NlriFault.MCAST_VPN, null) {
        @Override
        void layouts() {
            Layout rd = Layout.of().with("rd", DISTINGUISHER);
            Layout join =
                    rd.with("source-as", U32).with("source", ADDRESS_OR_ALL).with("group", ADDRESS_OR_ALL);
            add(1, "intra-as-i-pmsi", rd.with("originator", LAST_ADDRESS));
            add(2, "inter-as-i-pmsi", rd.with("source-as", U32));
            add(
                    3,
                    "s-pmsi",
                    rd.with("source", ADDRESS_OR_ALL)
                            .with("group", ADDRESS_OR_ALL)
                            .with("originator", LAST_ADDRESS));
            add(4, "leaf", Layout.of().with("route-key", ROUTE_KEY).with("originator", LAST_ADDRESS));
            add(5, "source-active", rd.with("source", ADDRESS).with("group", ADDRESS));
            add(6, "shared-tree-join", join);
            add(7, "source-tree-join", join);
        }
    };

    private static final int TYPES = 12;
    /** EVPN's leaf auto-discovery route. */
    private static final int LEAF = 11;

    private final @Nullable String[] names = new String[TYPES];
    private final Layout[][] layouts = new Layout[TYPES][0];
    private final NlriFault framing;
    /**
     * Null if routes that do not fit the layout of their type are shown in hex: RFC 7441 gives MCAST-VPN types second
     * layouts.
     */
    private final @Nullable NlriFault content;

    TypedNlri(NlriFault framing, @Nullable NlriFault content) {
        this.framing = framing;
        this.content = content;
        layouts();
    }

    /** Adds a row for each route type; called once by the constructor. */
    abstract void layouts();

    /** @param alternatives layouts of the same type, which differ in length */
    final void add(int type, String name, Layout... alternatives) {
        names[type] = name;
        layouts[type] = alternatives;
    }

    static Layout group(Layout before) {
        return before.with("source", ADDRESS_OR_ALL)
                .with("group", ADDRESS_OR_ALL)
                .with("originator", ADDRESS);
    }

    @Override
    public int next(byte[] b, int at, int limit) {
        if (limit - at < 2) {
            return framing.asResult();
        }
        int end = at + 2 + (b[at + 1] & 0xFF);
        if (end > limit) {
            return framing.asResult();
        }
        return content != null && isStrict(b[at] & 0xFF) && layout(b, at, end) == null ? content.asResult() : end;
    }

    /**
     * Returns whether routes of the type must fit their layout. Leaf routes need not: some senders omit type and length
     * of the route key.
     */
    private boolean isStrict(int type) {
        return type < TYPES && names[type] != null && type != LEAF;
    }

    /** Returns the layout that fits the route; null if none does. */
    private @Nullable Layout layout(byte[] b, int from, int to) {
        int type = b[from] & 0xFF;
        if (type < TYPES) {
            for (Layout layout : layouts[type]) {
                if (layout.fits(b, from + 2, to)) {
                    return layout;
                }
            }
        }
        return null;
    }

    @Override
    public void text(byte[] b, int from, int to, StringBuilder out) {
        Layout layout = layout(b, from, to);
        int type = b[from] & 0xFF;
        if (layout == null) {
            out.append("type-").append(type).append(" value=0x").append(Hex.of(b, from + 2, to));
        } else {
            layout.text(b, from + 2, to, out.append(names[type]).append(' '));
        }
    }

    /** Appends the NLRI, or its type and key fields if some of its fields are attributes. */
    @Override
    public void key(byte[] b, int from, int to, ByteSink out) {
        Layout layout = layout(b, from, to);
        if (layout == null || layout.isWholeKey()) {
            out.bytes(b, from, to);
        } else {
            layout.key(b, from + 2, to, out.u8(b[from] & 0xFF));
        }
    }
}
