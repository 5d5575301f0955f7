package dev.silkroute.bgp.attribute;

import dev.silkroute.bgp.update.UpdateDecoder;
import org.jspecify.annotations.Nullable;

/**
 * Checks one path attribute by itself. AS_PATH and the aggregators need each other and are checked by
 * {@link UpdateDecoder}; the MP attributes are taken apart there.
 *
 * <p>Whether a session is internal or external is not known here, so LOCAL_PREF, ORIGINATOR_ID and CLUSTER_LIST are
 * held to the internal rules: what was monitored is kept.
 */
public final class AttributeRules {
    private AttributeRules() {}

    /** The fault of the attribute whose value is {@code from..to}, or null. */
    public static @Nullable AttributeFault check(int type, int flags, byte[] b, int from, int to) {
        if (!AttributeCode.flagsAgree(type, flags)) {
            return type == AttributeCode.AIGP ? AttributeFault.AIGP_FLAGS : AttributeFault.FLAGS;
        }
        return isPlain(type, b, from, to) ? null : fault(type, flags, b, from, to);
    }

    /**
     * Whether there is nothing more to say: true for what most messages have, and short enough to be compiled into the
     * loop over them.
     */
    private static boolean isPlain(int type, byte[] b, int from, int to) {
        int length = to - from;
        return switch (type) {
            case AttributeCode.ORIGIN -> length == 1 && b[from] >= 0 && b[from] <= 2;
            case AttributeCode.NEXT_HOP, AttributeCode.MULTI_EXIT_DISC, AttributeCode.LOCAL_PREF -> length == 4;
            case AttributeCode.COMMUNITIES -> list(length, 4);
            case AttributeCode.AS_PATH, AttributeCode.MP_REACH_NLRI -> true;
            default -> false;
        };
    }

    private static @Nullable AttributeFault fault(int type, int flags, byte[] b, int from, int to) {
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
            case AttributeCode.PMSI_TUNNEL -> PmsiTunnel.check(b, from, to);
            case AttributeCode.TUNNEL_ENCAPSULATION ->
                tunnels(b, from, to) ? null : AttributeFault.TUNNEL_ENCAPSULATION;
            case AttributeCode.IPV6_EXTENDED_COMMUNITIES ->
                list(length, 20) ? null : AttributeFault.IPV6_EXTENDED_COMMUNITIES;
            case AttributeCode.AIGP -> aigp(b, from, to) ? null : AttributeFault.AIGP;
            case AttributeCode.BGP_LS -> TlvFormat.WIDE.fits(b, from, to) ? null : AttributeFault.BGP_LS;
            case AttributeCode.LARGE_COMMUNITIES -> list(length, 12) ? null : AttributeFault.LARGE_COMMUNITIES;
            case AttributeCode.ONLY_TO_CUSTOMER -> length == 4 ? null : AttributeFault.ONLY_TO_CUSTOMER;
            case AttributeCode.PREFIX_SID -> PrefixSid.check(b, from, to);
            case AttributeCode.ATTR_SET -> AttrSet.isWhole(b, from, to) ? null : AttributeFault.ATTR_SET;
            default ->
                AttributeCode.known(type) || (flags & AttributeCode.FLAG_OPTIONAL) != 0
                        ? null
                        : AttributeFault.UNRECOGNIZED_WELL_KNOWN;
        };
    }

    private static boolean list(int length, int element) {
        return length > 0 && length % element == 0;
    }

    /**
     * At least one tunnel, each ending where the last of its sub-TLVs ends; unknown ones are no error (RFC 9012,
     * Section 13).
     */
    private static boolean tunnels(byte[] b, int from, int to) {
        int at = from;
        while (at < to) {
            int end = TlvFormat.WIDE.end(b, at, to);
            if (end < 0 || !TlvFormat.TUNNEL_SUB.fits(b, at + 4, end)) {
                return false;
            }
            at = end;
        }
        return from < to;
    }

    /** Each TLV of type 1 has 11 bytes; more than one, and other types, are no error (RFC 7311, Sections 3 and 3.2). */
    private static boolean aigp(byte[] b, int from, int to) {
        int at = from;
        while (at < to) {
            int end = TlvFormat.AIGP.end(b, at, to);
            if (end < 0 || b[at] == 1 && end - at != 11) {
                return false;
            }
            at = end;
        }
        return true;
    }
}
