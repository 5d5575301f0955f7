package dev.silkroute.collector.transport;

import dev.silkroute.collector.sessions.DumpEnd;
import dev.silkroute.collector.sessions.DumpLimits;
import dev.silkroute.collector.sessions.DumpPlaces;
import dev.silkroute.session.DumpState;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * One session's initial transmission of its tables: decides when the session needs a place among those that send
 * tables ({@link DumpPlaces}), and when it has sent them. Afterwards nothing here delays the session again.
 *
 * <p>A session needs a place when it sends more than {@value #FREE_BYTES} bytes within the quiet time. So routers with
 * small tables, and changes of routers without End-of-RIB, do not wait. Used by the channel's event loop only.
 */
final class DumpPacing {
    /** Maximum bytes that a session sends within the quiet time without a place. */
    static final int FREE_BYTES = 64 << 10;

    private final DumpPlaces places;
    private final InetAddress address;
    private final Runnable onGranted;
    private Phase phase = Phase.FREE;
    private DumpPlaces.@Nullable Place place;
    private long dumpingSince;
    /** A time in which it is determined whether the router sends little, the bytes received, and the pauses before. */
    private long windowSince;

    private long windowBytes;
    private long windowPauses;

    private enum Phase {
        FREE,
        WAITING,
        DUMPING,
        OVER
    }

    /** @param onGranted called once by any thread after {@link #isWaiting}, when the session has a place */
    DumpPacing(DumpPlaces places, InetAddress address, Runnable onGranted) {
        this.places = places;
        this.address = address;
        this.onGranted = onGranted;
        windowSince = places.now();
    }

    /** Returns whether nothing is to be read until the session has a place. */
    boolean isWaiting() {
        return phase == Phase.WAITING;
    }

    /** Returns whether the session has a place, so that {@link #check} must be called periodically. */
    boolean isDumping() {
        return phase == Phase.DUMPING;
    }

    /** Returns whether the session has sent its tables. */
    boolean isOver() {
        return phase == Phase.OVER;
    }

    /** Returns the interval of {@link #check} in nanoseconds. */
    long checkNanos() {
        return limits().quiet().toNanos() / 4;
    }

    private DumpLimits limits() {
        return places.limits();
    }

    /**
     * Bytes have been read.
     *
     * @param isIdentified whether the router is identified; before that, more bytes are needed
     * @param state of the tables
     * @param pauses how often reading has been paused so far, for any reason
     */
    void received(int bytes, boolean isIdentified, DumpState state, long pauses) {
        if (phase == Phase.FREE && hasWindowElapsed()) {
            if (state != DumpState.NOT_BEGUN && windowPauses == pauses && windowBytes <= FREE_BYTES) {
                finish(DumpEnd.QUIET);
            }
            beginWindow(pauses);
        }
        windowBytes += bytes;
        if (phase == Phase.FREE && isIdentified && windowBytes > FREE_BYTES) {
            place = places.request(address, onGranted);
            if (place.isGranted()) {
                begin(pauses);
            } else {
                phase = Phase.WAITING;
            }
        }
    }

    /** The session has got the place for which it has waited. */
    void granted(long pauses) {
        if (phase == Phase.WAITING) {
            begin(pauses);
        }
    }

    private void begin(long pauses) {
        phase = Phase.DUMPING;
        dumpingSince = places.now();
        beginWindow(pauses);
    }

    private void beginWindow(long pauses) {
        windowSince = places.now();
        windowBytes = 0;
        windowPauses = pauses;
    }

    private boolean hasWindowElapsed() {
        return places.now() - windowSince >= limits().quiet().toNanos();
    }

    /** Everything that has been read is decoded and acknowledged, and the router has not sent more yet. */
    void idle(DumpState state) {
        if (state == DumpState.COMPLETE && phase != Phase.WAITING) {
            finish(DumpEnd.END_OF_RIB);
        }
    }

    /**
     * Ends the transmission if the router has been sending little, or for too long. A router that has not begun a table
     * may have to wait for a place again when it begins.
     *
     * @param isCurrent whether the connection is read, and little of what has been read is still to be sent to Kafka
     * @return the reason for which the session has released its slot, null if it has not
     */
    @Nullable
    DumpEnd check(DumpState state, boolean isCurrent, long pauses) {
        if (phase != Phase.DUMPING) {
            return null;
        }
        if (places.now() - dumpingSince >= limits().longest().toNanos()) {
            return finish(DumpEnd.AT_LATEST);
        }
        boolean isComplete = state == DumpState.COMPLETE;
        if (!isComplete && (!isCurrent || windowPauses != pauses || windowBytes > FREE_BYTES)) {
            beginWindow(pauses);
        } else if (hasWindowElapsed()) {
            DumpEnd end = finish(isComplete ? DumpEnd.END_OF_RIB : DumpEnd.QUIET);
            if (state == DumpState.NOT_BEGUN) {
                phase = Phase.FREE;
                beginWindow(pauses);
            }
            return end;
        }
        return null;
    }

    /** Gives back the place, or the request for it: the session has ended, or is only read to its end. */
    void end() {
        finish(DumpEnd.SESSION_ENDED);
    }

    private DumpEnd finish(DumpEnd reason) {
        phase = Phase.OVER;
        if (place != null) {
            places.leave(place, reason);
            place = null;
        }
        return reason;
    }
}
