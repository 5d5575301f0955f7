/**
 * Whole UPDATE messages: decoding and encoding. May use {@code attribute}, {@code nlri}, {@code bgp} and {@code net}.
 */
@NullMarked
package dev.silkroute.bgp.update;

import org.jspecify.annotations.NullMarked;
