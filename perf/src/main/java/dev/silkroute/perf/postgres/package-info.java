/**
 * Shared by the scenarios of the store: a PostgreSQL server as the station starts it, with a fresh database for each
 * turn of an arm; records of {@code bmp.routes} made by synthetic routers; the resources that a turn used; and jBMP's
 * tables and statements, rewritten from their description.
 */
@NullMarked
package dev.silkroute.perf.postgres;

import org.jspecify.annotations.NullMarked;
