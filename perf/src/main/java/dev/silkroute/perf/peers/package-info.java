/** Other projects' BMP collectors and the station with the same BMP session, each in processes of its own. */
@NullMarked
package dev.silkroute.perf.peers;

import org.jspecify.annotations.NullMarked;
