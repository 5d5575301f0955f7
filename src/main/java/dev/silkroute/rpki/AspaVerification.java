package dev.silkroute.rpki;

import dev.silkroute.rpki.AspaTable.Attestation;

/**
 * Verifies AS paths by ASPAs (draft-ietf-sidrops-aspa-verification, Section 6). Stateless, and allocates nothing.
 *
 * <p>A path that follows the rules of routing goes up from the origin, from customer to provider, may then pass one
 * link between peers, and goes down, from provider to customer. The up-ramp begins with the origin and is as long as
 * each AS is a provider of the one before; the down-ramp begins with the neighbor, in the other direction. Each has two
 * lengths, in ASes: the longest possible one ends where an ASPA denies the next step, the shortest possible one where
 * no ASPA attests it.
 *
 * <pre>
 * path, as in AS_PATH   64530 64520 64510 64500
 * ASPA of AS 64500      AS 64510
 * ASPA of AS 64510      AS 0
 * up-ramp               64500 64510           2 ASes: AS 64500 attests the step, AS 64510 denies the next one
 * down-ramp             64530                 1 AS at least: AS 64530 has no ASPA
 *                       64530 64520 64510     3 ASes at most: AS 64510 denies the step to AS 64500
 * downstream            unknown: 2 + 3 ASes may be the whole path, 2 + 1 are not
 * </pre>
 *
 * <p>Paths are arrays of unsigned AS numbers as in AS_PATH, from the neighbor to the origin, without repetitions of the
 * AS before.
 */
public final class AspaVerification {
    private AspaVerification() {}

    /**
     * Verifies the path of a route that a customer or peer has sent, a client of a route server to it, or a route
     * server to its client: it must be an up-ramp as a whole.
     */
    public static AspaVerdict upstream(AspaTable aspas, int[] path) {
        if (path.length == 0 || upRamp(aspas, path, false) < path.length) {
            return AspaVerdict.INVALID;
        }
        return upRamp(aspas, path, true) < path.length ? AspaVerdict.UNKNOWN : AspaVerdict.VALID;
    }

    /** Verifies the path of a route that a provider has sent: it must be an up-ramp and a down-ramp. */
    public static AspaVerdict downstream(AspaTable aspas, int[] path) {
        if (path.length == 0 || upRamp(aspas, path, false) + downRamp(aspas, path, false) < path.length) {
            return AspaVerdict.INVALID;
        }
        return upRamp(aspas, path, true) + downRamp(aspas, path, true) < path.length
                ? AspaVerdict.UNKNOWN
                : AspaVerdict.VALID;
    }

    /** @param attested whether each step must be attested; otherwise, whether none must be denied */
    private static int upRamp(AspaTable aspas, int[] path, boolean attested) {
        int at = path.length - 1;
        while (at > 0 && goesOn(aspas.attestation(path[at], path[at - 1]), attested)) {
            at--;
        }
        return path.length - at;
    }

    /** @param attested as for {@link #upRamp} */
    private static int downRamp(AspaTable aspas, int[] path, boolean attested) {
        int at = 0;
        while (at < path.length - 1 && goesOn(aspas.attestation(path[at], path[at + 1]), attested)) {
            at++;
        }
        return at + 1;
    }

    private static boolean goesOn(Attestation attestation, boolean attested) {
        return attested ? attestation == Attestation.PROVIDER : attestation != Attestation.NOT_PROVIDER;
    }
}
