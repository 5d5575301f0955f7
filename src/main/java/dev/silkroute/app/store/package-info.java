/**
 * The store as the routes use it: the beans that {@code history.yaml}, {@code current.yaml}, {@code lifecycle.yaml} and
 * {@code upkeep.yaml} name, the pool of pipelined connections, how far behind the lanes are; and the places of those routes that go
 * from Kafka to Kafka.
 */
@NullMarked
package dev.silkroute.app.store;

import org.jspecify.annotations.NullMarked;
