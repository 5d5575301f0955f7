/**
 * Routing tables in memory: the station's RIB, bart (Go), rotonda-store (Rust) and a plain Java RIB. Each runs in a
 * process of its own, gets the same routes from one file and answers the same lookups; {@link
 * dev.silkroute.perf.rib.RibScenario} controls them by lines of text.
 */
@NullMarked
package dev.silkroute.perf.rib;

import org.jspecify.annotations.NullMarked;
