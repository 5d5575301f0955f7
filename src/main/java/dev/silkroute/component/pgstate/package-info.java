/**
 * Camel skin of the {@code postgres} room's current state: the component {@code pgstate:}, whose consumers take away the routes that are
 * gone without their router's word, and give what was told of them. Options are documented in {@code docs/pgstate.md}.
 *
 * <p>May use {@code postgres} and Camel, and Micrometer where it is there. Knows no other component.
 */
@NullMarked
package dev.silkroute.component.pgstate;

import org.jspecify.annotations.NullMarked;
