package dev.silkroute.postgres.withdrawal;

import dev.silkroute.postgres.state.RibKey;
import java.time.OffsetDateTime;

/**
 * Routes to withdraw, and the event that caused it: the routes of an ended generation, or the routes of older sessions
 * that a synchronized table no longer has.
 *
 * @param view the view; {@code RibTables.ALL_VIEWS} if all tables of the peer are synchronized
 * @param family the family; 0 for all
 * @param generation the ended generation; -1 if a table is synchronized
 */
record WithdrawalTask(
        int router,
        int peer,
        int view,
        int family,
        int generation,
        long session,
        long sequence,
        OffsetDateTime receivedAt) {
    /** A sequence after all events that a session can have sent. */
    static final long AFTER_ALL = (1L << 48) - 1;

    boolean ended() {
        return generation >= 0;
    }

    /** A stale table is ended by sequence 0 or {@link #AFTER_ALL} of a session, a Peer Down by its own sequence. */
    WithdrawalCause cause() {
        if (!ended()) {
            return WithdrawalCause.END_OF_RIB;
        }
        return sequence == 0
                ? WithdrawalCause.RESYNC_TIMEOUT
                : sequence == AFTER_ALL ? WithdrawalCause.STALE_TIMEOUT : WithdrawalCause.PEER_DOWN;
    }

    int firstView() {
        return view < 0 ? 0 : view;
    }

    int lastView() {
        return view < 0 ? RibKey.LAST_VIEW : view;
    }
}
