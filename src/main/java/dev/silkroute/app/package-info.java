/**
 * The station as a program: command line, embedded servers, start and stop, live routes, health checks and REST API.
 * May use every other package; none uses it.
 */
@NullMarked
package dev.silkroute.app;

import org.jspecify.annotations.NullMarked;
