/**
 * The rows that history and current state refer to: routers, peers and attribute sets. They are committed before the
 * rows that refer to them, so that their ids can be remembered between transactions.
 *
 * <p>May use {@code route}, {@code lane} and {@code copy}.
 */
@NullMarked
package dev.silkroute.postgres.dimension;

import org.jspecify.annotations.NullMarked;
