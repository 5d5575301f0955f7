/** Commands that back up the data directory of a station with embedded servers, and restore it. */
@NullMarked
package dev.silkroute.app.backup;

import org.jspecify.annotations.NullMarked;
