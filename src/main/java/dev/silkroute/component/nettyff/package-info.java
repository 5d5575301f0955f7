/**
 * The Camel component {@code netty-ff:}, producer only. It extends camel-netty's producer so that an exchange is done
 * as soon as its message is copied into a buffer. The later result of the write appears in counters and at the
 * {@code onFailure} endpoint, never in the exchange.
 *
 * <pre>
 * DelegatingProducer (one per route step) ─▶ NettyFfProducer (one per endpoint) ─▶ Connection ─▶ SendBuffer
 * SendBuffer ─▶ ChunkQueue (bytes), ConnectionState (may we accept?), PendingLimit (is there space?), SendCounters
 * </pre>
 *
 * <p>{@link dev.silkroute.component.nettyff.SendBuffer} explains the flow, the threads and what is counted. The package
 * uses Camel, camel-netty and Netty, Micrometer if present, and of this product only {@link
 * dev.silkroute.component.MeterGroup}, so any Camel application can use it. See {@code docs/reference/netty-ff.md}.
 */
@NullMarked
package dev.silkroute.component.nettyff;

import org.jspecify.annotations.NullMarked;
