/**
 * The Camel component {@code pgcopy:}, producer only: records into a PostgreSQL table, in one transaction or, for a
 * large batch of a lane, in several. Records that a {@code lane:} consumer has read are stored exactly once, because
 * the transaction also moves the lane's offsets.
 *
 * <p>Uses the lanes' part of {@code postgres}, and Micrometer if it is on the class path; it works in any Camel
 * application. Options are documented in {@code docs/reference/pgcopy.md}.
 */
@NullMarked
package dev.silkroute.component.pgcopy;

import org.jspecify.annotations.NullMarked;
