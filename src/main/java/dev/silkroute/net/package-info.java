/**
 * Types that all protocols share: addresses, address families, route distinguishers, and bytes in network order.
 *
 * <p>May use the JDK, Jackson's streaming API, the {@code ipaddress} library and hash4j. Nothing here reads a clock or
 * writes a log.
 */
@NullMarked
package dev.silkroute.net;

import org.jspecify.annotations.NullMarked;
