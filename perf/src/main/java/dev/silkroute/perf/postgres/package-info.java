/**
 * What the scenarios of the store share: a PostgreSQL server as the station starts it, with a fresh database for each
 * turn of an arm; records of {@code bmp.routes} made by synthetic routers; what a turn cost; and jBMP's tables and
 * statements, made anew from their description.
 */
@NullMarked
package dev.silkroute.perf.postgres;

import org.jspecify.annotations.NullMarked;
