/**
 * Route origin validation (RFC 6811): validated ROA payloads (VRPs) from the files that relying-party software
 * exports, with local exceptions (RFC 8416), and the validity of a route by them.
 *
 * <p>A {@link dev.silkroute.rpki.VrpTable} is immutable, so that readers need no lock while a new one is loaded. The
 * package uses net only, and is independent of Camel, Quarkus and clocks.
 */
@NullMarked
package dev.silkroute.rpki;

import org.jspecify.annotations.NullMarked;
