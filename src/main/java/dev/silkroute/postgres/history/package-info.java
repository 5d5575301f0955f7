/**
 * Writes {@code bmp.route_event}, the history of routes: the events of routers, and the withdrawals that the station
 * makes itself.
 *
 * <p>May use {@code route}, {@code dimension}, {@code lane} and {@code copy}.
 */
@NullMarked
package dev.silkroute.postgres.history;

import org.jspecify.annotations.NullMarked;
