/**
 * PostgreSQL's binary COPY format: writing rows into a table ({@link dev.silkroute.postgres.copy.CopyTable}) and
 * reading the rows of a query ({@link dev.silkroute.postgres.copy.CopiedRow}).
 *
 * <p>May use {@code net}, JDBC and pgjdbc's COPY. No Camel, no Quarkus.
 */
@NullMarked
package dev.silkroute.postgres.copy;

import org.jspecify.annotations.NullMarked;
