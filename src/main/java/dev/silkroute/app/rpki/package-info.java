/**
 * Route origin validation in the station: the VRPs of a file, reloaded when it changes, or of RTR caches, and the
 * validity of a route.
 */
@NullMarked
package dev.silkroute.app.rpki;

import org.jspecify.annotations.NullMarked;
