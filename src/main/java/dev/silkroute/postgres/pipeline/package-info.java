/**
 * Many statements in one round trip: a {@link dev.silkroute.postgres.pipeline.Pipeline} collects statements with their
 * parameters, sends them to PostgreSQL together and receives all results. The sender blocks, best in a virtual thread.
 *
 * <p>Uses the Vert.x PostgreSQL client, which is hidden except that a pool may be given a {@code Vertx}, pgjdbc for
 * parsing JDBC URLs and SQL, and {@code net}. No Camel, no Quarkus.
 */
@NullMarked
package dev.silkroute.postgres.pipeline;

import org.jspecify.annotations.NullMarked;
