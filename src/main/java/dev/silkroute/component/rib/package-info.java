/**
 * The RIB in memory as a Camel component: {@code rib:apply}, {@code rib:lookup}, {@code rib:find},
 * {@code rib:enrich}.
 * May use {@code rib} and what that uses, {@code names}, Camel and Jackson.
 */
@NullMarked
package dev.silkroute.component.rib;

import org.jspecify.annotations.NullMarked;
