/**
 * The routes as files: which ones a station runs, packaged or an operator's own, and their exchange while it runs. Uses
 * Camel and {@code app.config}.
 */
@NullMarked
package dev.silkroute.app.routes;

import org.jspecify.annotations.NullMarked;
