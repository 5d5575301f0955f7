/**
 * The commands that are clients of a running station: {@code lookup} and {@code status} use its REST API, {@code sql}
 * and {@code rebuild} its database, {@code topic} its Kafka cluster. None of them starts Quarkus or Camel.
 */
@NullMarked
package dev.silkroute.app.ask;

import org.jspecify.annotations.NullMarked;
