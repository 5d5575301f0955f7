package dev.silkroute.rib.peer;

import dev.silkroute.rib.RibPeer;
import dev.silkroute.rib.memory.Counter;
import dev.silkroute.route.PeerEntry;
import dev.silkroute.state.RouterSession;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * A monitored router in one shard: the phase of its newest session, its peers, and an ordinal for each of its sessions
 * that routes refer to. A route stores the ordinal, a small number from 1 on, in place of the session ID, which is a
 * long.
 *
 * <p>Only the shard's writer changes it. Readers use the ordinals, the address and the ID of the newest session.
 */
public final class RouterState {
    public final Map<RibPeer, PeerState> peers = new HashMap<>();
    /** Peers by their entry in a batch, so that an event finds its peer without allocating a {@link RibPeer}. */
    final Map<PeerEntry, PeerState> entries = new HashMap<>();

    final String name;
    /** Live routes of all peers. */
    public final Counter routes = new Counter();

    private RouterSession session = RouterSession.UNKNOWN;
    /** {@link RouterSession#id} of the phase, for the comparison that every event needs. */
    private volatile long sessionId = RouterSession.NONE;
    /** Ordinal of the session while it is up, else 0. */
    private volatile int live;

    private volatile String address = "";

    /** Session IDs by ordinal. */
    private volatile long[] ids = new long[4];
    /** Number of references to each ordinal. An ordinal without references is free. */
    private long[] holds = new long[4];

    private int lastOrdinal;

    RouterState(String name) {
        this.name = name;
    }

    public RouterSession session() {
        return session;
    }

    /** ID of the newest session, {@link RouterSession#NONE} if there was none. */
    public long sessionId() {
        return sessionId;
    }

    /**
     * Stores the phase that follows an event. Routes become stale or fresh by it, because readers compare their
     * ordinal.
     */
    public void moveTo(RouterSession next) {
        if (next == session) {
            return;
        }
        session = next;
        sessionId = next.id();
        int before = live;
        live = next.isUp() ? holdOrdinal(sessionId) : 0;
        if (before != 0) {
            dropOrdinal(before, 1);
        }
    }

    /** The ordinal of the newest session if it is up, else 0. */
    public int live() {
        return live;
    }

    /** The address that the newest session came from. */
    public String address() {
        return address;
    }

    public void address(String from) {
        if (!from.equals(address)) {
            address = from;
        }
    }

    /** Forgets sessions and address. Ordinals stay, because routes that are still to be purged have them. */
    void reset() {
        entries.clear();
        address = "";
        moveTo(RouterSession.UNKNOWN);
    }

    /** Returns the ordinal of a session and adds a reference to it. */
    int holdOrdinal(long id) {
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

    /** The session ID of an ordinal that has references. */
    public long sessionOf(int ordinal) {
        return ids[ordinal];
    }
}
