/**
 * The Camel component {@code pgcopy:}, producer only: a body of rows into any PostgreSQL table by one binary COPY and one
 * transaction; of a batching Kafka consumer's records each exactly once, by offsets in that transaction.
 *
 * <p>Skin of {@code postgres}. Uses Camel, camel-kafka only in the classes whose names begin with Kafka, Micrometer only in
 * {@code Meters}: it works in any Camel application. See {@code docs/pgcopy.md}.
 */
@NullMarked
package dev.silkroute.component.pgcopy;

import org.jspecify.annotations.NullMarked;
