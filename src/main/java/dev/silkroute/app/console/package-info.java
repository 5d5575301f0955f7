/**
 * Terminal output that all commands share: result formats and tables, the progress display, interruption by a
 * signal, exit codes. Uses {@code app.config} only; contains no command.
 */
@NullMarked
package dev.silkroute.app.console;

import org.jspecify.annotations.NullMarked;
