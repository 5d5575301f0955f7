package dev.silkroute.alert;

import dev.silkroute.net.IpPrefix;
import dev.silkroute.rpki.Validity;
import java.util.Optional;
import java.util.OptionalLong;

/** The validity of routes by RPKI (RFC 6811). */
@FunctionalInterface
public interface RouteValidity {
    /** No route has a validity. */
    RouteValidity NONE = (prefix, origin) -> Optional.empty();

    /** @param origin empty if the path is empty or ends with a set */
    Optional<Validity> of(IpPrefix prefix, OptionalLong origin);
}
