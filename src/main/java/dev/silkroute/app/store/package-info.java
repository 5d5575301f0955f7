/**
 * The store as the routes use it: the beans that {@code history.camel.yaml}, {@code current.camel.yaml}, {@code lifecycle.camel.yaml} and
 * {@code maintenance.camel.yaml} name, the pool of pipelined connections, how far behind the lanes are; and the places of those routes that go
 * from Kafka to Kafka.
 */
@NullMarked
package dev.silkroute.app.store;

import org.jspecify.annotations.NullMarked;
