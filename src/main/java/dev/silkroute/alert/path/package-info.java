/**
 * Values with which alert rules compare AS paths: conditions on paths, relations between ASes, and the
 * paths that neighbors have sent.
 */
@NullMarked
package dev.silkroute.alert.path;

import org.jspecify.annotations.NullMarked;
