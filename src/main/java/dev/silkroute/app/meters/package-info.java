/** Code that the metrics of several packages share, and the metrics of libraries. Uses no other package. */
@NullMarked
package dev.silkroute.app.meters;

import org.jspecify.annotations.NullMarked;
