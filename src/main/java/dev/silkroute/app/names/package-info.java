/** The files of labels and names that a station has been configured with, loaded and reloaded. */
@NullMarked
package dev.silkroute.app.names;

import org.jspecify.annotations.NullMarked;
