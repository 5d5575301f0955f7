/**
 * A station in several processes that are killed and stopped under load, and the checks of what it holds afterwards. For the integration tests and,
 * with larger numbers, for {@code perf/run.sh chaos}: so it uses the station's classes and no test library.
 */
@NullMarked
package dev.silkroute.chaos;

import org.jspecify.annotations.NullMarked;
