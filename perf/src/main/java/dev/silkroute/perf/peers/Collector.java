package dev.silkroute.perf.peers;

import dev.silkroute.perf.station.CpuTimes;
import java.io.IOException;

/** A running collector of BMP sessions, in processes of its own. */
interface Collector extends AutoCloseable {

    /**
     * Receives the session of a router, which stays open.
     *
     * @param deadline a value of {@link System#nanoTime}
     * @throws IOException if the session is not consumed before
     */
    Consumed consume(SendingRouter router, long deadline) throws IOException, InterruptedException;

    /** Returns the memory of its processes that is resident now. */
    long residentMib();

    /**
     * Returns the number of routes that it reports to have received. Call this last, when the session is closed.
     *
     * @throws IOException if it reports different numbers
     */
    long routes() throws IOException, InterruptedException;

    @Override
    void close() throws IOException, InterruptedException;

    /**
     * The consumption of a session.
     *
     * @param seconds from the beginning until all was consumed
     * @param cpu CPU time meanwhile; for other projects' collectors all of it is the station's part
     */
    record Consumed(double seconds, CpuTimes cpu) {}
}
