package dev.silkroute.app.rpki;

import dev.silkroute.rpki.VrpTable;
import io.micrometer.core.instrument.MeterRegistry;

/** Where the station's VRPs come from. {@link #table} and {@link #updatedAtMillis} are thread-safe. */
interface VrpSource extends AutoCloseable {
    /** Returns the VRPs to use, with local exceptions applied; empty if there are none. The same object until they change. */
    VrpTable table();

    /** Returns how old the VRPs in use are, in milliseconds since 1970; 0 before the first. */
    long updatedAtMillis();

    /** Loads the VRPs for the first time and keeps them up to date from then on. Does not fail if there are none yet. */
    void start(MeterRegistry meters);

    /** Reads files again that have changed. Called at an interval, always on the same thread. */
    void reload();

    @Override
    void close();
}
