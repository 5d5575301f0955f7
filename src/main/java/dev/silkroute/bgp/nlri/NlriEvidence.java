package dev.silkroute.bgp.nlri;

import dev.silkroute.bgp.AddPathReading;
import dev.silkroute.net.Family;

/**
 * Infers from the bytes of an NLRI field whether its NLRI carry path identifiers (RFC 7911).
 *
 * <p>A field that is plausible in one reading only is evidence for it. The bytes of prefixes are easily mistaken for
 * path identifiers: the eight bytes of two /24 prefixes are also one prefix with a huge path identifier. The reverse is
 * rare, because path identifiers are small numbers, whose leading zero bytes would be default routes. A field that is
 * plausible in both readings is therefore read without path identifiers until there is evidence.
 */
public final class NlriEvidence {
    private NlriEvidence() {}

    /**
     * Returns whether the field {@code from..to} is to be read with path identifiers, and adds its evidence to the
     * reading.
     */
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

    /** Returns whether a field that is malformed in the current reading is plausible in the other. */
    public static boolean fitsOtherwise(
            AddPathReading reading, int family, byte[] b, int from, int to, boolean withdrawal) {
        return plausible(family, b, from, to, !reading.pathIdentifiers(), withdrawal);
    }

    /**
     * Returns whether a router would have sent this field in this reading. The test is stricter than the RFCs are with
     * a receiver: all lengths fit, no bits are set after a prefix, there are no two default routes without path
     * identifiers, and no reserved route types. Routers send none of these, and a field that is split at the wrong
     * places is full of them.
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

    /** Returns whether the route type is 0, which EVPN and BGP-LS reserve. */
    private static boolean reservedType(int family, byte[] b, int at) {
        return switch (family) {
            case Family.EVPN -> b[at] == 0;
            case Family.BGP_LS, Family.BGP_LS_VPN -> b[at] == 0 && b[at + 1] == 0;
            default -> false;
        };
    }
}
