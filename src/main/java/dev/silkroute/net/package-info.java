/**
 * What every protocol shares: addresses, families, route distinguishers, and bytes read and written in network order.
 *
 * <p>May use the JDK only. Nothing here knows a protocol, a clock, or a log.
 */
@NullMarked
package dev.silkroute.net;

import org.jspecify.annotations.NullMarked;
