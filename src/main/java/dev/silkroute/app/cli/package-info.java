/** The commands, one class each. They say what went wrong in one line and give 2 back, or 0. */
@NullMarked
package dev.silkroute.app.cli;

import org.jspecify.annotations.NullMarked;
