package dev.silkroute.chaos;

import dev.silkroute.load.LoadRouter;

/** A router of a cluster, with its BMP sessions. */
interface SimulatedRouter extends AutoCloseable {
    /** Returns what generates its messages, with the tables as they are now. Stable while it is silent. */
    LoadRouter plan();

    /** Returns the number of BMP sessions that it has started. */
    long sessions();

    /** Returns the number of bytes that it has sent. */
    long bytes();

    /** Lets it complete its tables and then stop sending. */
    void fallSilent();

    /** Lets it make this number of further changes. */
    void talk(long changes);

    /** Returns whether it has made all changes that it may make. */
    boolean isThrough();

    /** Returns whether it has sent everything, in sessions that are open. */
    boolean isSilent();

    @Override
    void close();
}
