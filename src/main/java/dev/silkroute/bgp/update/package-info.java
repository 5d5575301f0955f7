/** UPDATE messages as a whole. May use {@code attribute}, {@code nlri}, {@code bgp}, {@code net} and the JDK. */
@NullMarked
package dev.silkroute.bgp.update;

import org.jspecify.annotations.NullMarked;
