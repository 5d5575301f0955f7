/**
 * The station as a program: command line, embedded servers, start and stop, live routes, health and REST status. May use
 * every other room; none uses it.
 */
@NullMarked
package dev.silkroute.app;

import org.jspecify.annotations.NullMarked;
