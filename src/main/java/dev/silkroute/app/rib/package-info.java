/** The RIB in memory as the station runs it: how large it may be, where it begins, whether it has caught up, what it counts. */
@NullMarked
package dev.silkroute.app.rib;

import org.jspecify.annotations.NullMarked;
