/**
 * Generates the BMP sessions of synthetic routers from a seed. The same profile always yields the same bytes.
 *
 * <p>Hardly any state is kept: the prefix with number <i>i</i> and the attributes of its route are recomputed from the
 * seed and <i>i</i> whenever they are needed. Only churn stores a version number for each route.
 *
 * <p>This package generates and nothing else. The full contents that a station should hold after a session are computed
 * by test code in the package of the same name; here are only the numbers that the {@code load} command reports
 * ({@link dev.silkroute.load.TableSize} and {@link dev.silkroute.load.MalformedCounts}). The package uses net, bgp and
 * bmp, and is independent of sockets, Camel and clocks.
 */
@NullMarked
package dev.silkroute.load;

import org.jspecify.annotations.NullMarked;
