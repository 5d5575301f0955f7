package dev.silkroute.bgp.nlri;

import dev.silkroute.bgp.AddPathReading;
import dev.silkroute.net.Family;

/**
 * Tells from the bytes of an NLRI field whether its NLRI carry path identifiers.
 *
 * <p>A field that makes sense in one reading only is evidence. Bytes of prefixes pass for path identifiers easily: two times four bytes of
 * two /24 are also one prefix with a huge path identifier. The other way round it hardly happens, since path identifiers are small numbers
 * and their leading zeros are default routes. So what makes sense both ways, before anything is proved, has no path identifiers.
 */
public final class NlriEvidence {
    private NlriEvidence() {}

    /** How to read the field {@code from..to}; what it shows is added to the reading. */
    public static boolean weigh(AddPathReading reading, int family, byte[] b, int from, int to, boolean withdrawal) {
        boolean current = reading.pathIdentifiers();
        boolean fits = plausible(family, b, from, to, current, withdrawal);
        boolean otherFits = plausible(family, b, from, to, !current, withdrawal);
        if (fits && otherFits) {
            return reading.proved() && current;
        }
        if (fits) {
            reading.confirm();
        } else if (otherFits) {
            reading.contradict();
        }
        return reading.pathIdentifiers();
    }

    /** Whether a field that is no good in the reading so far would make sense in the other. */
    public static boolean fitsOtherwise(
            AddPathReading reading, int family, byte[] b, int from, int to, boolean withdrawal) {
        return plausible(family, b, from, to, !reading.pathIdentifiers(), withdrawal);
    }

    /**
     * Stricter than the RFCs are with a receiver: besides right lengths, no bits behind a prefix, no two default routes without path
     * identifiers, and no reserved route types. Routers write none of these, and a field that is cut up wrongly is full of them.
     */
    static boolean plausible(int family, byte[] b, int from, int to, boolean addPath, boolean withdrawal) {
        boolean prefix = NlriFormat.isPrefix(family);
        int skip = addPath ? 4 : 0;
        int empty = 0;
        for (int at = from; at < to; ) {
            int end = NlriFormat.next(family, b, at, to, addPath, withdrawal);
            if (end < 0) {
                return false;
            }
            int first = at + skip;
            if (prefix && hostBits(b[first] & 0xFF, b[end - 1]) || !prefix && reservedType(family, b, first)) {
                return false;
            }
            if (!addPath && b[first] == 0 && ++empty > 1 && isLengthFirst(family, prefix)) {
                return false;
            }
            at = end;
        }
        return true;
    }

    private static boolean isLengthFirst(int family, boolean prefix) {
        return prefix || Family.safi(family) == 132;
    }

    private static boolean hostBits(int bits, byte last) {
        return (bits & 7) != 0 && (last & 0xFF >> (bits & 7)) != 0;
    }

    /** Type 0 is reserved in EVPN and in BGP-LS. */
    private static boolean reservedType(int family, byte[] b, int at) {
        return switch (family) {
            case Family.EVPN -> b[at] == 0;
            case Family.BGP_LS, Family.BGP_LS_VPN -> b[at] == 0 && b[at + 1] == 0;
            default -> false;
        };
    }
}
