/**
 * Withdraws routes that ended without an explicit withdrawal by their router: after a Peer Down, after an
 * End-of-RIB, or because their table has been stale for too long. Each withdrawal is recorded in the history and, if
 * configured, published through an outbox.
 *
 * <p>May use {@code state}, {@code history} and {@code lane}.
 */
@NullMarked
package dev.silkroute.postgres.withdrawal;

import org.jspecify.annotations.NullMarked;
