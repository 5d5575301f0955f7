/** The results of scenarios: ratios with their bounds, as a table for people and as JSON for programs. */
@NullMarked
package dev.silkroute.perf.report;

import org.jspecify.annotations.NullMarked;
