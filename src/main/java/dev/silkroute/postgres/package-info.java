/**
 * PostgreSQL storage. Each sub-package may use only those before it in this list:
 *
 * <ol>
 * <li>{@code copy}: PostgreSQL's binary COPY format;
 * <li>{@code lane}: records of a Kafka topic, stored exactly once;
 * <li>{@code dimension}: routers, peers and attribute sets, to which rows refer;
 * <li>{@code history}: the history of routes, {@code bmp.route_event};
 * <li>{@code state}: the current state, {@code bmp.rib_route};
 * <li>{@code withdrawal}: routes that ended without an explicit withdrawal;
 * <li>{@code maintenance}: partitions, snapshots, retention, rebuild.
 * </ol>
 *
 * <p>{@code pipeline} stands apart: it sends many statements in one round trip for the low-volume tables. The schema is
 * in {@code db/migration}. The packages may use {@code route}, {@code bgp} and {@code net}, JDBC and pgjdbc, but
 * neither Camel nor Quarkus.
 */
@NullMarked
package dev.silkroute.postgres;

import org.jspecify.annotations.NullMarked;
