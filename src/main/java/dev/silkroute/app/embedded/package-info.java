/**
 * The Kafka broker and the PostgreSQL server that a station runs by itself, and the data directory they live in. Each is
 * a child process that ends when the pipe to its stdin closes, so nothing outlives a station, however it went away. Uses
 * {@code app.config}, pgjdbc nowhere, Kafka's server classes in {@link KafkaBroker} alone; no Camel, no Quarkus.
 */
@NullMarked
package dev.silkroute.app.embedded;

import org.jspecify.annotations.NullMarked;
