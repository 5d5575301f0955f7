/**
 * The commands that play monitored routers: {@code replay} sends captures, {@code load} sends generated sessions. Each
 * runs its packaged route in a Camel context of its own, without Quarkus.
 */
@NullMarked
package dev.silkroute.app.mock;

import org.jspecify.annotations.NullMarked;
