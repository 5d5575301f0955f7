/** Scenario {@code vrps}: a relying party's export of the world's VRPs, read by a JVM that has just started. */
@NullMarked
package dev.silkroute.perf.rpki;

import org.jspecify.annotations.NullMarked;
