package dev.silkroute.bgp.attribute;

import dev.silkroute.bgp.update.UpdateDecoder;
import dev.silkroute.net.BigEndian;
import org.jspecify.annotations.Nullable;

/**
 * Checks one path attribute by itself. AS_PATH and the aggregators need each other and are checked by {@link UpdateDecoder}; the MP
 * attributes are taken apart there.
 *
 * <p>Whether a session is internal or external is not known here, so LOCAL_PREF, ORIGINATOR_ID and CLUSTER_LIST are held to the internal
 * rules: what was monitored is kept.
 */
public final class AttributeRules {
    private AttributeRules() {}

    /** The fault of the attribute whose value is {@code from..to}, or null. */
    public static @Nullable AttributeFault check(int type, int flags, byte[] b, int from, int to) {
        if (!AttributeCode.flagsAgree(type, flags)) {
            return AttributeFault.FLAGS;
        }
        int length = to - from;
        return switch (type) {
            case AttributeCode.ORIGIN -> length == 1 && b[from] >= 0 && b[from] <= 2 ? null : AttributeFault.ORIGIN;
            case AttributeCode.NEXT_HOP -> length == 4 ? null : AttributeFault.NEXT_HOP;
            case AttributeCode.MULTI_EXIT_DISC -> length == 4 ? null : AttributeFault.MULTI_EXIT_DISC;
            case AttributeCode.LOCAL_PREF -> length == 4 ? null : AttributeFault.LOCAL_PREF;
            case AttributeCode.ATOMIC_AGGREGATE -> length == 0 ? null : AttributeFault.ATOMIC_AGGREGATE;
            case AttributeCode.COMMUNITIES -> list(length, 4) ? null : AttributeFault.COMMUNITIES;
            case AttributeCode.ORIGINATOR_ID -> length == 4 ? null : AttributeFault.ORIGINATOR_ID;
            case AttributeCode.CLUSTER_LIST -> list(length, 4) ? null : AttributeFault.CLUSTER_LIST;
            case AttributeCode.EXTENDED_COMMUNITIES -> list(length, 8) ? null : AttributeFault.EXTENDED_COMMUNITIES;
            case AttributeCode.AS4_PATH ->
                length >= 6 && AsPathBytes.fits(b, from, to, 4) ? null : AttributeFault.AS4_PATH;
            case AttributeCode.AS4_AGGREGATOR -> length == 8 ? null : AttributeFault.AS4_AGGREGATOR;
            case AttributeCode.PMSI_TUNNEL -> length >= 5 ? null : AttributeFault.PMSI_TUNNEL;
            case AttributeCode.TUNNEL_ENCAPSULATION -> tlvs(b, from, to) ? null : AttributeFault.TUNNEL_ENCAPSULATION;
            case AttributeCode.IPV6_EXTENDED_COMMUNITIES ->
                list(length, 20) ? null : AttributeFault.IPV6_EXTENDED_COMMUNITIES;
            case AttributeCode.AIGP -> aigp(b, from, to) ? null : AttributeFault.AIGP;
            case AttributeCode.BGP_LS -> tlvs(b, from, to) ? null : AttributeFault.BGP_LS;
            case AttributeCode.LARGE_COMMUNITIES -> list(length, 12) ? null : AttributeFault.LARGE_COMMUNITIES;
            case AttributeCode.ONLY_TO_CUSTOMER -> length == 4 ? null : AttributeFault.ONLY_TO_CUSTOMER;
            case AttributeCode.PREFIX_SID -> shortTypeTlvs(b, from, to) ? null : AttributeFault.PREFIX_SID;
            case AttributeCode.ATTR_SET -> length >= 4 ? null : AttributeFault.ATTR_SET;
            default ->
                AttributeCode.known(type) || (flags & AttributeCode.FLAG_OPTIONAL) != 0
                        ? null
                        : AttributeFault.UNRECOGNIZED_WELL_KNOWN;
        };
    }

    private static boolean list(int length, int element) {
        return length > 0 && length % element == 0;
    }

    /** {@code u16 type | u16 length | value}, again and again. */
    private static boolean tlvs(byte[] b, int from, int to) {
        int at = from;
        while (at < to) {
            if (to - at < 4) {
                return false;
            }
            at += 4 + BigEndian.u16(b, at + 2);
        }
        return at == to;
    }

    /** {@code u8 type | u16 length | value}, again and again (RFC 8669, Section 3). */
    private static boolean shortTypeTlvs(byte[] b, int from, int to) {
        int at = from;
        while (at < to) {
            if (to - at < 3) {
                return false;
            }
            at += 3 + BigEndian.u16(b, at + 1);
        }
        return at == to;
    }

    /** {@code u8 type | u16 length of the whole TLV | value}; the first of type 1 is 11 bytes (RFC 7311, Section 3). */
    private static boolean aigp(byte[] b, int from, int to) {
        int at = from;
        while (at < to) {
            if (to - at < 3) {
                return false;
            }
            int length = BigEndian.u16(b, at + 1);
            if (length < 3 || b[at] == 1 && length != 11) {
                return false;
            }
            at += length;
        }
        return at == to;
    }
}
