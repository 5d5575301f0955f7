/**
 * The Camel component {@code pgpipe:}, producer only: statements with named parameters. All of an exchange are
 * executed by PostgreSQL in one round trip and in one transaction.
 *
 * <p>Uses {@code postgres.pipeline}, and Micrometer if it is on the class path; it works in any Camel application.
 * Options are documented in {@code docs/reference/pgpipe.md}.
 */
@NullMarked
package dev.silkroute.component.pgpipe;

import org.jspecify.annotations.NullMarked;
