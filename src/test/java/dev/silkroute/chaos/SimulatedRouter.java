package dev.silkroute.chaos;

import dev.silkroute.load.LoadRouter;
import java.util.concurrent.atomic.AtomicLong;

/** A router of a cluster, with its BMP sessions. */
abstract class SimulatedRouter implements AutoCloseable {
    final AtomicLong sessions = new AtomicLong();
    final AtomicLong bytes = new AtomicLong();

    /** Returns what generates its messages, with the tables as they are now. Stable while it is silent. */
    abstract LoadRouter plan();

    /** Returns the number of BMP sessions that it has started. */
    final long sessions() {
        return sessions.get();
    }

    /** Returns the number of bytes that it has sent. */
    final long bytes() {
        return bytes.get();
    }

    /** Closes its connections; it begins other sessions. */
    abstract void reconnect();

    /** Lets it complete its tables and then stop sending. */
    abstract void fallSilent();

    /** Lets it make this number of further changes. */
    abstract void talk(long changes);

    /** Returns whether it has made all changes that it may make. */
    abstract boolean isThrough();

    /** Returns whether it has sent everything, in sessions that are open. */
    abstract boolean isSilent();

    @Override
    public abstract void close();
}
