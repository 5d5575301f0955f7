package dev.silkroute.bgp.attribute;

import dev.silkroute.net.BigEndian;
import dev.silkroute.net.ByteSink;

/**
 * Writes canonical attribute sets, which are interned and hashed as bytes.
 *
 * <pre>
 * in ascending order of types: u8 flags | u8 type | u16 length | value
 * </pre>
 *
 * The extended-length flag is always set and the low four bits are 0. AS_PATH always has four-octet AS numbers and
 * AGGREGATOR 8 bytes, both merged with AS4_PATH and AS4_AGGREGATOR, which are kept as well. MP_REACH_NLRI is truncated
 * to {@code u16 AFI | u8 SAFI | u8 next-hop length | next hop} and part of the sets of its own routes only;
 * MP_UNREACH_NLRI is never in a set.
 *
 * <p>Example: {@code 50 01 0001 00 | 50 02 0006 0201 0000fbf4 | 50 03 0004 c0000201} is ORIGIN igp, AS_PATH 64500 and
 * NEXT_HOP 192.0.2.1.
 */
public final class AttributeSetWriter {
    private static final int HEADER = 4;

    private AttributeSetWriter() {}

    /**
     * Appends the set of the current message.
     *
     * @param fourOctetAs the AS number size of AS_PATH and AGGREGATOR
     * @param multiprotocol whether the set is for the routes of MP_REACH_NLRI
     */
    public static void write(byte[] b, AttributeTable table, boolean fourOctetAs, boolean multiprotocol, ByteSink out) {
        for (int word = 0; word < 4; word++) {
            for (long bits = table.kept(word); bits != 0; bits &= bits - 1) {
                int type = word << 6 | Long.numberOfTrailingZeros(bits);
                switch (type) {
                    case AttributeCode.MP_UNREACH_NLRI -> {}
                    case AttributeCode.MP_REACH_NLRI -> {
                        if (multiprotocol) {
                            nextHop(b, table, out);
                        }
                    }
                    case AttributeCode.AS_PATH -> asPath(b, table, fourOctetAs, out);
                    case AttributeCode.AGGREGATOR -> aggregator(b, table, fourOctetAs, out);
                    default -> copy(b, table, type, table.from(type), table.to(type), out);
                }
            }
        }
    }

    private static void header(AttributeTable table, int type, int length, ByteSink out) {
        int flags = table.flags(type) & 0xF0 | AttributeCode.FLAG_EXTENDED_LENGTH;
        out.u32(flags << 24 | type << 16 | length);
    }

    private static void copy(byte[] b, AttributeTable table, int type, int from, int to, ByteSink out) {
        header(table, type, to - from, out);
        out.bytes(b, from, to);
    }

    private static void nextHop(byte[] b, AttributeTable table, ByteSink out) {
        int from = table.from(AttributeCode.MP_REACH_NLRI);
        copy(b, table, AttributeCode.MP_REACH_NLRI, from, from + 4 + (b[from + 3] & 0xFF), out);
    }

    private static void asPath(byte[] b, AttributeTable table, boolean fourOctetAs, ByteSink out) {
        int from = table.from(AttributeCode.AS_PATH);
        int to = table.to(AttributeCode.AS_PATH);
        if (fourOctetAs) {
            copy(b, table, AttributeCode.AS_PATH, from, to, out);
            return;
        }
        int start = out.position();
        header(table, AttributeCode.AS_PATH, 0, out);
        if (table.has(AttributeCode.AS4_PATH) && !aggregatorDeniesAs4(b, table)) {
            AsPathBytes.merge(b, from, to, table.from(AttributeCode.AS4_PATH), table.to(AttributeCode.AS4_PATH), out);
        } else {
            AsPathBytes.widen(b, from, to, out);
        }
        out.patchU16(start + 2, out.position() - start - HEADER);
    }

    /**
     * Returns whether AGGREGATOR is not AS_TRANS: it is then newer than AS4_AGGREGATOR, and both AS4 attributes are
     * outdated (RFC 6793, Section 4.2.3).
     */
    private static boolean aggregatorDeniesAs4(byte[] b, AttributeTable table) {
        return table.has(AttributeCode.AS4_AGGREGATOR)
                && table.has(AttributeCode.AGGREGATOR)
                && BigEndian.u16(b, table.from(AttributeCode.AGGREGATOR)) != AsPathBytes.AS_TRANS;
    }

    private static void aggregator(byte[] b, AttributeTable table, boolean fourOctetAs, ByteSink out) {
        int from = table.from(AttributeCode.AGGREGATOR);
        if (fourOctetAs) {
            copy(b, table, AttributeCode.AGGREGATOR, from, table.to(AttributeCode.AGGREGATOR), out);
            return;
        }
        header(table, AttributeCode.AGGREGATOR, 8, out);
        if (table.has(AttributeCode.AS4_AGGREGATOR) && !aggregatorDeniesAs4(b, table)) {
            int wide = table.from(AttributeCode.AS4_AGGREGATOR);
            out.bytes(b, wide, wide + 8);
        } else {
            out.u32(BigEndian.u16(b, from)).bytes(b, from + 2, from + 6);
        }
    }
}
