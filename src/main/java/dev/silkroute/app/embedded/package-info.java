/**
 * The embedded Kafka broker and PostgreSQL server of a station, and its data directory. Each server is a child
 * process that ends when the pipe to its stdin is closed, so that none outlives the station, however that ended. Uses
 * {@code app.config} and, in {@link KafkaBroker} only, Kafka's server classes; no Camel, Quarkus or JDBC driver.
 */
@NullMarked
package dev.silkroute.app.embedded;

import org.jspecify.annotations.NullMarked;
