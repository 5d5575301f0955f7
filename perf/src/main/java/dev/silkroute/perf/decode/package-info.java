/**
 * Scenario {@code decode}: the same recorded BMP sessions through our decoder, GoBGP's and NetGauze's, one thread each,
 * each contender is a process that decodes on command.
 */
@NullMarked
package dev.silkroute.perf.decode;

import org.jspecify.annotations.NullMarked;
