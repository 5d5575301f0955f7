package dev.silkroute.state;

/**
 * A table, that is one family of a peer in one RIB view: the newest session in which the peer has sent it completely.
 *
 * <p>After a reconnect a router sends its tables again. Until the End-of-RIB, routes that the new session has not
 * announced remain as stale. The End-of-RIB purges them: it takes the table to {@link Synchronized} in that session.
 */
public sealed interface TablePhase {
    /** No End-of-RIB has purged the table. */
    TablePhase UNSYNCHRONIZED = new Unsynchronized();

    /** The newest session in which the table was synchronized, {@link RouterSession#NONE} if in none. */
    long session();

    /**
     * An End-of-RIB in a view that {@linkplain ViewPhase#mayHoldOlderThan may hold} routes of older sessions. If the
     * phase changes, the routes of sessions before this one are purged from the table.
     */
    default TablePhase endOfRib(long by) {
        return by > session() ? new Synchronized(by) : this;
    }

    /** Returns whether the table holds no routes that sessions before this one announced and it has not. */
    default boolean isSynchronized(ViewPhase view, long by) {
        return session() >= by || view.beganIn(by);
    }

    /** No End-of-RIB has purged the table. */
    record Unsynchronized() implements TablePhase {
        @Override
        public long session() {
            return RouterSession.NONE;
        }
    }

    /** The End-of-RIB of a session has purged what older sessions left. */
    record Synchronized(long session) implements TablePhase {}
}
