/**
 * The command line as a whole: registers the commands, resolves their defaults and reports their errors. The commands
 * themselves are in {@code app.ask}, {@code app.mock}, {@code app.redecode} and {@code app.station}.
 */
@NullMarked
package dev.silkroute.app.cli;

import org.jspecify.annotations.NullMarked;
