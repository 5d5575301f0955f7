/** The command line: one class a command, plain picocli. Only {@code run} boots Quarkus. */
@NullMarked
package dev.silkroute.app.cli;

import org.jspecify.annotations.NullMarked;
