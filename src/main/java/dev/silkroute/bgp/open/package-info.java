/** OPEN messages, capabilities and what two OPENs agree on. May use {@code bgp}, {@code net} and the JDK. */
@NullMarked
package dev.silkroute.bgp.open;

import org.jspecify.annotations.NullMarked;
