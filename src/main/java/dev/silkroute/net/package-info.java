/**
 * Types that all protocols share: addresses, address families, route distinguishers, and bytes in network order.
 *
 * <p>May use the JDK, Jackson's streaming API and the {@code ipaddress} library. Nothing here reads a clock or writes a
 * log.
 */
@NullMarked
package dev.silkroute.net;

import org.jspecify.annotations.NullMarked;
