/** The program: what starts, wires and stops the station. May use every room. */
@NullMarked
package dev.silkroute.app;

import org.jspecify.annotations.NullMarked;
