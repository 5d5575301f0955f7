/** The scenario {@code live}: subscribers of the live stream, what they receive and what they cost. */
@NullMarked
package dev.silkroute.perf.live;

import org.jspecify.annotations.NullMarked;
