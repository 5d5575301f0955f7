/**
 * Scenario {@code fire-and-forget}: messages per second that arrive at a sink which counts them, by {@code netty-ff:},
 * by camel-netty as it is, by Netty and by a socket without Camel; and whether {@code netty-ff:} can account for every
 * message when things go wrong.
 */
@NullMarked
package dev.silkroute.perf.forget;

import org.jspecify.annotations.NullMarked;
