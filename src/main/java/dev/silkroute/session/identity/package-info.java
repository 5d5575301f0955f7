/**
 * The identity of a monitored router: the name under which everything that its sessions report is published.
 *
 * <p>May use {@code bmp} and the packages that it uses. No I/O, no clock.
 */
@NullMarked
package dev.silkroute.session.identity;

import org.jspecify.annotations.NullMarked;
