/** What metrics of several packages have in common, and the metrics of libraries. Uses no other package. */
@NullMarked
package dev.silkroute.app.meters;

import org.jspecify.annotations.NullMarked;
