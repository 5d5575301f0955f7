/**
 * The store as the routes use it: the beans that {@code history.yaml}, {@code current.yaml} and {@code lifecycle.yaml}
 * name, and how far behind their lanes are.
 */
@NullMarked
package dev.silkroute.app.store;

import org.jspecify.annotations.NullMarked;
