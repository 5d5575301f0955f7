/**
 * Route files: which of them a station runs, packaged or an operator's, and how they are reloaded while it runs. Uses
 * Camel and {@code app.config}.
 */
@NullMarked
package dev.silkroute.app.routes;

import org.jspecify.annotations.NullMarked;
