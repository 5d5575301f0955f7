package dev.silkroute.postgres.withdrawal;

import dev.silkroute.postgres.state.RibKey;
import java.time.OffsetDateTime;

/**
 * Routes to be withdrawn, and the event that caused it: those of a generation of a peer's view that ended, or those of a table that is
 * through and had them no more.
 *
 * @param view with {@code RibTables} all tables of the peer are through
 * @param family 0: all of them
 * @param generation the one that ended; -1: a table is through
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
    /** As the sequence of what comes after everything that a session can have said. */
    static final long AFTER_ALL = (1L << 48) - 1;

    boolean ended() {
        return generation >= 0;
    }

    /** What ran out of time says so by its place in the session: before all that was said, or after it. */
    WithdrawalCause cause() {
        if (!ended()) {
            return WithdrawalCause.END_OF_RIB;
        }
        return sequence == 0
                ? WithdrawalCause.UNMENTIONED
                : sequence == AFTER_ALL ? WithdrawalCause.AWAY : WithdrawalCause.PEER_DOWN;
    }

    int firstView() {
        return view < 0 ? 0 : view;
    }

    int lastView() {
        return view < 0 ? RibKey.LAST_VIEW : view;
    }
}
