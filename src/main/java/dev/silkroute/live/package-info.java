/**
 * The live stream: messages about routes and peers for subscribers with filters. A {@link
 * dev.silkroute.live.LiveStream} receives route batches, finds the subscribers of each message through an index of
 * their filters, encodes the message once as JSON, and queues it for them. Queues are bounded in bytes; a subscriber is
 * informed of exactly how many messages it has missed. The package has no thread and no I/O: connections poll their
 * {@link dev.silkroute.live.Subscriber}. Uses {@code route}, {@code rpki}, {@code bgp} and
 * {@code net}.
 */
@NullMarked
package dev.silkroute.live;

import org.jspecify.annotations.NullMarked;
