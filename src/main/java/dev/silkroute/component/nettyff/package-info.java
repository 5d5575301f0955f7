/**
 * The Camel component {@code netty-ff:}, producer only: camel-netty's producer, changed by subclassing, so that an exchange
 * is done as soon as its message is copied into the outbox. What happens to the message afterwards shows in counters and at
 * the {@code onFailure} endpoint, never at the exchange.
 *
 * <p>Uses Camel, camel-netty and Netty, and Micrometer where it is there. Nothing of the rest of this product: it works in
 * any Camel application. See {@code docs/netty-ff.md}.
 */
@NullMarked
package dev.silkroute.component.nettyff;

import org.jspecify.annotations.NullMarked;
