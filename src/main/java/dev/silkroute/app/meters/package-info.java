/** What metrics of several packages have in common. Uses the JDK and the log only. */
@NullMarked
package dev.silkroute.app.meters;

import org.jspecify.annotations.NullMarked;
