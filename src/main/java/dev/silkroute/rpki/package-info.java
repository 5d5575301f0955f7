/**
 * Route origin validation (RFC 6811) and the verification of AS paths by ASPAs (draft-ietf-sidrops-aspa-verification):
 * validated payloads (VRPs and ASPAs) from the files that relying-party software exports, with local exceptions to VRPs
 * (RFC 8416), and what they state about a route.
 *
 * <p>A {@link dev.silkroute.rpki.VrpTable} and an {@link dev.silkroute.rpki.AspaTable} are immutable, so that readers
 * need no lock while a new one is loaded. The package uses net only, and is independent of Camel, Quarkus and clocks.
 */
@NullMarked
package dev.silkroute.rpki;

import org.jspecify.annotations.NullMarked;
