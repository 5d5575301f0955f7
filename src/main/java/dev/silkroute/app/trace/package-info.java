/** Traces of sampled batches, sent by OpenTelemetry's protocol: {@code silkroute.tracing}. */
@NullMarked
package dev.silkroute.app.trace;

import org.jspecify.annotations.NullMarked;
