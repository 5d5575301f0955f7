package dev.silkroute.perf.rib;

import dev.silkroute.route.RouteBatch;

/** A routing table in this JVM, as the measurements use it. */
interface Store extends AutoCloseable {
    /**
     * Routes in the form that the table takes, made before any clock starts. Portions are applied in their order, by
     * one thread.
     */
    interface Feed {
        int portions();

        /** @return the number of updates in it */
        int apply(int portion);
    }

    /** A reader, for one thread. */
    interface Reader {
        /** The section or lock that several lookups may share. It is closed after them. */
        interface Section extends AutoCloseable {
            @Override
            void close();
        }

        /** Begins a section, if lookups may share what protects them from writers. */
        default Section section() {
            return () -> {};
        }

        /** Longest match and one route there: a number of its origin AS and path length, 0 for none. */
        long full4(int address);

        long full6(long high, long low);

        /** Longest match alone: a number of the prefix found, negative for none. */
        long match4(int address);

        long match6(long high, long low);

        /** Longest matches of some probes, the fastest way there is; what was found is added up. */
        long matches(Workload.Probes probes, int from, int to);

        /** The same with a route each, as {@link #full4}. */
        long fulls(Workload.Probes probes, int from, int to);

        /** Returns the result as a value for {@link Digest}, 0 if nothing was found. */
        long answer4(int address, boolean whole);

        long answer6(long high, long low, boolean whole);
    }

    /**
     * The result of removing a peer's routes.
     *
     * @param visible nanoseconds until a reader that asks all the time no longer sees them
     * @param returned until the call was over
     * @param reclaimed until nothing of them is left
     */
    record Flushed(long visible, long returned, long reclaimed) {}

    /**
     * The updates of one writer of several; each may be applied by its own thread.
     *
     * @param read whether what comes as bytes is checked and read before, too, where that is a step of its own
     */
    Feed feed(Workload work, String routes, boolean read);

    /** Applies a record of announcements and withdrawals. */
    void apply(RouteBatch batch);

    Reader reader();

    long routes();

    Flushed flush(int peer) throws InterruptedException;

    /** Returns the memory that the table reports as reserved, for information; 0 if unknown. */
    long reserved();

    /** Ends what threads it has. */
    @Override
    default void close() {}
}
