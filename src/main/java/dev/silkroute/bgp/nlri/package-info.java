/**
 * Network Layer Reachability Information: {@link dev.silkroute.bgp.nlri.NlriFormat} delimits and validates it,
 * {@link dev.silkroute.bgp.nlri.NlriReader} reads prefixes, {@link dev.silkroute.bgp.nlri.NlriText} formats it, and
 * {@link dev.silkroute.bgp.nlri.NlriKey} identifies its route.
 *
 * <p>A family is one {@code …Nlri} enum; a type of a family is one row in it. May use {@code bgp} and {@code net}.
 */
@NullMarked
package dev.silkroute.bgp.nlri;

import org.jspecify.annotations.NullMarked;
