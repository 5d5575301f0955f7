/**
 * Maintenance of the database: partitions, snapshots of all routes, retention, and rebuilding the current state from
 * the history.
 *
 * <p>May use {@code withdrawal}, {@code state} and {@code lane}.
 */
@NullMarked
package dev.silkroute.postgres.maintenance;

import org.jspecify.annotations.NullMarked;
