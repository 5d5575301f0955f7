/**
 * Route origin validation in the station: the VRPs of a file, reloaded when it changes, or of RTR caches, the
 * validity of a route, and the versions of the VRPs in PostgreSQL.
 */
@NullMarked
package dev.silkroute.app.rpki;

import org.jspecify.annotations.NullMarked;
