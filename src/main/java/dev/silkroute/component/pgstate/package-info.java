/**
 * The Camel component {@code pgstate:}, consumer only: withdraws the routes in PostgreSQL that ended without a
 * withdrawal by their router, and delivers these withdrawals.
 *
 * <p>Uses the withdrawals' part of {@code postgres}, and Micrometer if it is on the class path. Options are
 * documented in {@code docs/reference/pgstate.md}.
 */
@NullMarked
package dev.silkroute.component.pgstate;

import org.jspecify.annotations.NullMarked;
