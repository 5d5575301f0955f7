/**
 * The Camel component {@code pgpipe:}, producer only: statements with named parameters, all of an exchange in one round trip
 * to PostgreSQL and in one transaction.
 *
 * <p>Skin of {@code postgres.pipeline}. Uses Camel, Micrometer only in {@code Meters}: it works in any Camel application. See
 * {@code docs/pgpipe.md}.
 */
@NullMarked
package dev.silkroute.component.pgpipe;

import org.jspecify.annotations.NullMarked;
