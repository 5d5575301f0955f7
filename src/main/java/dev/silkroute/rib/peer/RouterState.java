package dev.silkroute.rib.peer;

import dev.silkroute.rib.RibPeer;
import dev.silkroute.route.PeerEntry;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A monitored router in one shard: which of its sessions is the live one, and small numbers (ordinals, from 1 on) for those sessions that any
 * route is of, so that a route needs no more than an int for its.
 */
public final class RouterState {
    final String name;
    public final Map<RibPeer, PeerState> peers = new HashMap<>();
    /** By the entry as it stands in batches, so that nothing is made to look one up. */
    final Map<PeerEntry, PeerState> entries = new HashMap<>();

    private long session = Long.MIN_VALUE;
    private boolean up;
    private String collector = "";
    private long changedAt;
    private boolean known;
    private volatile int live;
    /** The address that the newest session came from. */
    private volatile String address = "";

    /** Readers find a route's session here, too. */
    private volatile long[] ids = new long[4];

    private long[] holds = new long[4];
    private int lastOrdinal;

    RouterState(String name) {
        this.name = name;
    }

    /** The ordinal of the live session, 0 if there is none. */
    public int live() {
        return live;
    }

    public String address() {
        return address;
    }

    public void at(String from) {
        if (!from.equals(address)) {
            address = from;
        }
    }

    public boolean up() {
        return up;
    }

    public long session() {
        return session;
    }

    String collector() {
        return collector;
    }

    public long changedAt() {
        return changedAt;
    }

    /**
     * An event of a session.
     *
     * @param isUp whether it is up after that
     * @param said whether the event says so, or it only follows from there being events
     * @param started session id of its collector's last start
     */
    public void move(long by, boolean isUp, boolean said, String of, @Nullable Long started, long at) {
        if (known && (by < session || by == session && !said)) {
            return;
        }
        boolean over = started != null && started > by;
        boolean next = isUp && !over;
        if (known && by == session && up == next) {
            return;
        }
        known = true;
        session = by;
        collector = of;
        changedAt = at;
        turn(next);
    }

    /** Its collector has begun anew. */
    void collectorStarted(long started, long at) {
        if (up && session < started) {
            changedAt = at;
            turn(false);
        }
    }

    private void turn(boolean isUp) {
        int before = live;
        up = isUp;
        live = isUp ? holdOrdinal(session) : 0;
        if (before != 0) {
            dropOrdinal(before, 1);
        }
    }

    /** Nothing has been heard of it yet. Ordinals stay: routes that are hidden have them. */
    void forget() {
        entries.clear();
        known = false;
        session = Long.MIN_VALUE;
        collector = "";
        changedAt = 0;
        address = "";
        turn(false);
    }

    /** The ordinal of a session, held once more. */
    public int holdOrdinal(long id) {
        int ordinal = lastOrdinal;
        if (ordinal == 0 || ids[ordinal] != id || holds[ordinal] == 0) {
            ordinal = find(id);
            lastOrdinal = ordinal;
        }
        holds[ordinal]++;
        return ordinal;
    }

    private int find(long id) {
        int free = 0;
        for (int i = 1; i < ids.length; i++) {
            if (holds[i] == 0) {
                free = i;
            } else if (ids[i] == id) {
                return i;
            }
        }
        if (free == 0) {
            free = ids.length;
            ids = Arrays.copyOf(ids, free * 2);
            holds = Arrays.copyOf(holds, free * 2);
        }
        ids[free] = id;
        return free;
    }

    public void holdOrdinal(int ordinal, int times) {
        holds[ordinal] += times;
    }

    public void dropOrdinal(int ordinal, int times) {
        holds[ordinal] -= times;
    }

    public boolean known() {
        return known;
    }

    public long sessionOf(int ordinal) {
        return ids[ordinal];
    }
}
