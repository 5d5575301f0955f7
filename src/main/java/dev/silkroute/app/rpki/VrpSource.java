package dev.silkroute.app.rpki;

import dev.silkroute.rpki.AspaTable;
import dev.silkroute.rpki.VrpTable;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * The source of the station's VRPs and ASPAs. {@link #table}, {@link #aspas}, {@link #rejectedAspas} and {@link
 * #updatedAtMillis} are thread-safe.
 */
interface VrpSource extends AutoCloseable {
    /**
     * Returns the VRPs to use, with local exceptions applied; empty if there are none. The object is the same until
     * they change.
     */
    VrpTable table();

    /** Returns the ASPAs to use; empty if there are none. The object is the same until they change. */
    AspaTable aspas();

    /** Returns how many entries of the source were not valid ASPAs and are not used. */
    int rejectedAspas();

    /** Returns when the VRPs in use were current, in milliseconds since 1970; 0 before the first. */
    long updatedAtMillis();

    /** Loads the first VRPs, and starts what keeps them up to date. Does not fail if there are none yet. */
    void start(MeterRegistry meters);

    /** Reads files again that have changed. Called at an interval, always on the same thread. */
    void reload();

    @Override
    void close();
}
