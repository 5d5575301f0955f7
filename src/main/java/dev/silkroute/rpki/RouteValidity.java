package dev.silkroute.rpki;

import dev.silkroute.net.IpPrefix;
import java.util.Optional;
import java.util.OptionalLong;

/** The validity of routes by RPKI (RFC 6811). Thread-safe. */
@FunctionalInterface
public interface RouteValidity {
    /** No route has a validity. */
    RouteValidity NONE = (prefix, origin) -> Optional.empty();

    /**
     * Returns the validity of a unicast or labelled unicast route, or nothing if there are no VRPs.
     *
     * @param origin the AS that is validated, unsigned; empty if the path ends with a set
     */
    Optional<Validity> of(IpPrefix prefix, OptionalLong origin);
}
