/**
 * Synthetic routers: BMP sessions made from a seed, the same bytes for the same profile, and what a station should hold after them. Uses net,
 * bgp and bmp; knows nothing of sockets, Camel or time.
 *
 * <p>Nearly nothing is kept: which prefix is the i-th, and which attributes its route has, is worked out from the seed and i again and again. Only
 * churn leaves a number for each route.
 */
@NullMarked
package dev.silkroute.load;

import org.jspecify.annotations.NullMarked;
