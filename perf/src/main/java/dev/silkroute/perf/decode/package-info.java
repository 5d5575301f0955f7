/**
 * Scenario {@code decode}: the same recorded BMP sessions through our decoder, GoBGP's and NetGauze's, one thread each, every
 * contender a process of its own that decodes when it is told to.
 */
@NullMarked
package dev.silkroute.perf.decode;

import org.jspecify.annotations.NullMarked;
