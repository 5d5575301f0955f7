/**
 * Failure tests of a station in several processes: they are killed and stopped under load, and afterwards the stored
 * data is compared with the routers' tables and the topics. Used by the integration tests and, with larger numbers, by
 * {@code perf/run.sh chaos}, so the package uses the station's classes and no test library.
 */
@NullMarked
package dev.silkroute.chaos;

import org.jspecify.annotations.NullMarked;
