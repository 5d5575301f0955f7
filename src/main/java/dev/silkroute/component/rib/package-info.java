/**
 * The RIB in memory as a Camel component: {@code rib:apply}, {@code rib:sweep}, {@code rib:lookup}, {@code rib:enrich}. May use the room {@code rib}
 * and what that stands on, Camel and Jackson.
 */
@NullMarked
package dev.silkroute.component.rib;

import org.jspecify.annotations.NullMarked;
