package dev.silkroute.bgp.nlri;

import dev.silkroute.net.DecodeException;
import dev.silkroute.net.Family;

/**
 * Finds the ends of NLRI.
 *
 * <pre>
 * AFI 1 and 2, SAFI 1, 2:   u8 bits | prefix                                   RFC 4271, Section 4.3
 * SAFI 4:                   u8 bits | u24 label, one or more | prefix          RFC 8277, Section 2
 * SAFI 128:                 u8 bits | u24 label, one or more | u64 RD | prefix RFC 4364, RFC 4659
 * SAFI 129:                 u8 bits | u64 RD | prefix                          RFC 6514
 * SAFI 5:                   u8 type | u8 bytes | route                         RFC 6514
 * SAFI 73:                  u8 bits | distinguisher, color, endpoint           RFC 9830
 * SAFI 132:                 u8 bits | origin AS, route target                  RFC 4684
 * SAFI 133, 134:            u8 or (0xF, u12) bytes | [u64 RD] components       RFC 8955, RFC 8956
 * AFI 25, SAFI 65:          u16 bytes | u64 RD | label block or address        RFC 4761, RFC 6074
 * AFI 25, SAFI 70:          u8 type | u8 bytes | route                         RFC 7432
 * AFI 16388, SAFI 71, 72:   u16 type | u16 bytes | descriptors                 RFC 9552
 * </pre>
 *
 * With ADD-PATH, a u32 path identifier precedes each NLRI (RFC 7911). A field of any other family is one opaque NLRI.
 * Thread-safe, because stateless.
 */
public final class NlriFormat {
    /** The label field of a withdrawal, which has no bottom-of-stack bit (RFC 8277, Section 2.4). */
    private static final int WITHDRAWN_LABEL = 0x80_0000;

    private NlriFormat() {}

    /**
     * Returns the end of the NLRI, with path identifier if there is one, that begins at {@code pos}.
     *
     * @param withdrawal whether the label field is three bytes of any value (RFC 8277, Section 2.4)
     * @throws DecodeException if the bytes do not begin with a whole NLRI
     */
    public static int end(int family, byte[] b, int pos, int limit, boolean addPath, boolean withdrawal) {
        int end = next(family, b, pos, limit, addPath, withdrawal);
        if (end < 0) {
            throw fault(end, pos);
        }
        return end;
    }

    /**
     * Counts the NLRI of a field. Neither throws nor allocates.
     *
     * @return the number of NLRI, or a negative number, which {@link #fault} explains, if the field does not consist of
     * whole NLRI
     */
    public static int count(int family, byte[] b, int from, int to, boolean addPath, boolean withdrawal) {
        int count = 0;
        int pos = from;
        while (pos < to) {
            pos = next(family, b, pos, to, addPath, withdrawal);
            if (pos < 0) {
                return pos;
            }
            count++;
        }
        return count;
    }

    /**
     * Returns the exception for a negative result of {@link #next} or {@link #count}; {@code offset} is where the NLRI
     * begins.
     */
    public static DecodeException fault(int result, int offset) {
        return NlriFault.of(result).at(offset);
    }

    /**
     * Returns whether the NLRI of a family are IP prefixes, to which {@link NlriReader}'s accessors for prefixes apply.
     */
    public static boolean isPrefix(int family) {
        int afi = Family.afi(family);
        int safi = Family.safi(family);
        return (afi == Family.AFI_IPV4 || afi == Family.AFI_IPV6)
                && (safi == 1 || safi == 2 || safi == 4 || safi == 128 || safi == 129);
    }

    static boolean hasLabels(int family) {
        int safi = Family.safi(family);
        return (safi == 4 || safi == 128) && isPrefix(family);
    }

    static boolean hasRouteDistinguisher(int family) {
        int safi = Family.safi(family);
        return (safi == 128 || safi == 129) && isPrefix(family);
    }

    /**
     * Returns whether a label field ends its stack. Some senders omit the bottom-of-stack bit of explicit null and of
     * 0x800000.
     */
    static boolean endsStack(int label) {
        return (label & 1) != 0 || label == WITHDRAWN_LABEL || label == 0;
    }

    /**
     * Returns the {@link #end}, or a negative number, which {@link #fault} explains, instead of throwing. Does not
     * allocate.
     */
    public static int next(int family, byte[] b, int pos, int limit, boolean addPath, boolean withdrawal) {
        int at = pos;
        if (addPath) {
            if (limit - at < 5) {
                return NlriFault.PATH_IDENTIFIER.asResult();
            }
            at += 4;
        } else if (at >= limit) {
            return NlriFault.RUNS_OVER.asResult();
        }
        return switch (family) {
            // Nearly all NLRI are of these families: no virtual call for them.
            case Family.IPV4_UNICAST, Family.IPV4_MULTICAST -> PrefixNlri.plain(b, at, limit, 32);
            case Family.IPV6_UNICAST, Family.IPV6_MULTICAST -> PrefixNlri.plain(b, at, limit, 128);
            default ->
                isPrefix(family)
                        ? PrefixNlri.of(family).next(b, at, limit, withdrawal)
                        : NlriCodec.of(family).next(b, at, limit);
        };
    }
}
