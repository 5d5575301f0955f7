/**
 * Many statements in one round trip: a {@link dev.silkroute.postgres.pipeline.Flight} is filled with statements and their
 * parameters, goes to PostgreSQL at once and comes back with all answers. Who sends it waits, best in a virtual thread.
 *
 * <p>Stands on the Vert.x PostgreSQL client, of which nothing is seen from outside but that a pool may be given its
 * {@code Vertx}; on pgjdbc for the reading of JDBC URLs; on {@code net}. No Camel, no Quarkus.
 */
@NullMarked
package dev.silkroute.postgres.pipeline;

import org.jspecify.annotations.NullMarked;
