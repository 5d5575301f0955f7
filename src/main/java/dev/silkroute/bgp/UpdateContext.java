package dev.silkroute.bgp;

/**
 * What decoding an UPDATE depends on: one per peer and view.
 *
 * @param fourOctetAs the AS number size to try first; the AS_PATH itself decides
 * @param addPath the families whose NLRI carry path identifiers
 */
public record UpdateContext(boolean fourOctetAs, AddPathFamilies addPath) {

    /** What to begin with when no Peer Up was seen: only the A flag speaks. */
    public static UpdateContext withoutPeerUp(boolean legacyAsPath) {
        return new UpdateContext(!legacyAsPath, AddPathFamilies.NONE);
    }
}
