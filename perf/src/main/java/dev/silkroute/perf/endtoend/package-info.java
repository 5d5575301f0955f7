/**
 * Measures the whole station: routers in a process of their own, TCP, Kafka, PostgreSQL and the RIB. May use all of the
 * benchmark's other packages.
 */
@NullMarked
package dev.silkroute.perf.endtoend;

import org.jspecify.annotations.NullMarked;
