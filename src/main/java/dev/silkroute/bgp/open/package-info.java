/**
 * OPEN messages, capabilities, and what two OPENs negotiate. A capability is one constant of {@code CapabilityType}.
 * May use {@code bgp} and {@code net}.
 */
@NullMarked
package dev.silkroute.bgp.open;

import org.jspecify.annotations.NullMarked;
