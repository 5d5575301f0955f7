/**
 * Scenario {@code pipeline}: small work at a database that is a millisecond away, by pipelines, and by pgjdbc one
 * statement after the other and as well as it can.
 */
@NullMarked
package dev.silkroute.perf.pipeline;

import org.jspecify.annotations.NullMarked;
