package dev.silkroute.app.mock;

import java.util.concurrent.atomic.LongAdder;

/** Counts what one router has sent. Written by the router's thread and Netty's, read by any. */
final class SenderCounters {
    /** Messages and their bytes, over all sessions. */
    final LongAdder messages = new LongAdder();

    final LongAdder bytes = new LongAdder();

    /** Accepted messages that were lost with their connection. */
    final LongAdder lostMessages = new LongAdder();

    /** Sessions that were started again after a connection was lost. */
    final LongAdder restarts = new LongAdder();

    /** Routes of the table dump sent so far, in the current session. */
    volatile long dumped;

    /** Changes sent so far, over all sessions. */
    volatile long changes;
}
