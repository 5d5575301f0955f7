/**
 * History, current state and quarantine in PostgreSQL: the binary COPY encoder, the writers that turn route batches into
 * rows, and the dimensions and attribute sets that the rows point to. The schema is in {@code db/migration}.
 *
 * <p>May use {@code route} and what it is made of ({@code bgp}, {@code net}), JDBC and pgjdbc's COPY. No Camel, no
 * Quarkus: whoever calls brings the connection.
 */
@NullMarked
package dev.silkroute.postgres;

import org.jspecify.annotations.NullMarked;
