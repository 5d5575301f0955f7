/**
 * Writes and reads the current state: {@code bmp.rib_route} and the tables that record which sessions and table
 * generations its rows belong to.
 *
 * <p>May use {@code route}, {@code digest}, {@code history}, {@code dimension}, {@code lane} and {@code copy}.
 */
@NullMarked
package dev.silkroute.postgres.state;

import org.jspecify.annotations.NullMarked;
