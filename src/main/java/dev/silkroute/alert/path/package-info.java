/**
 * Values with which alert rules compare AS paths and neighbors: conditions on paths, relations between ASes, and roles
 * of neighbors.
 */
@NullMarked
package dev.silkroute.alert.path;

import org.jspecify.annotations.NullMarked;
