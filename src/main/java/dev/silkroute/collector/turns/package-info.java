/**
 * Hand-over between the successive sessions of one router: a router's new session is published to Kafka only after its
 * previous one has been published completely, and a name that another router uses already is not shared.
 *
 * <p>May use {@code collector.sessions}, {@code session} and Netty's executors. No Camel.
 */
@NullMarked
package dev.silkroute.collector.turns;

import org.jspecify.annotations.NullMarked;
