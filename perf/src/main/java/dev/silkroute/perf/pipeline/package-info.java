/**
 * Scenario {@code pipeline}: small transactions with a round-trip time of a millisecond, by pipelines, by pgjdbc one
 * statement after the other, and by pgjdbc in its fastest configuration.
 */
@NullMarked
package dev.silkroute.perf.pipeline;

import org.jspecify.annotations.NullMarked;
