/**
 * Routing tables in memory: the station's RIB, bart (Go), rotonda-store (Rust) and a plain Java RIB, fed the same routes from one
 * file and asked the same questions. A process each; {@link dev.silkroute.perf.rib.RibScenario} speaks with them in lines.
 */
@NullMarked
package dev.silkroute.perf.rib;

import org.jspecify.annotations.NullMarked;
