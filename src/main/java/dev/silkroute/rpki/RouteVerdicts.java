package dev.silkroute.rpki;

import org.jspecify.annotations.Nullable;

/**
 * The statements of the RPKI about a route.
 *
 * @param validity of its origin; null for withdrawals, VPN routes, and all routes while there are no VRPs
 * @param aspa of its path; null where paths are not verified, see {@link AspaVerdict}
 */
public record RouteVerdicts(
        @Nullable Validity validity, @Nullable AspaVerdict aspa) {
    public static final RouteVerdicts NONE = new RouteVerdicts(null, null);
}
