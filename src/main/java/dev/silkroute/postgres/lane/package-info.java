/**
 * Stores the records of a Kafka topic in PostgreSQL exactly once: transactions of bounded size, offsets that advance in
 * the same transaction as the rows, retries while the database is unavailable, and quarantine for records that cannot
 * be stored.
 *
 * <p>May use {@code route} for reading route batches, and {@code copy}. No Camel, no Quarkus: the caller provides the
 * data source.
 */
@NullMarked
package dev.silkroute.postgres.lane;

import org.jspecify.annotations.NullMarked;
