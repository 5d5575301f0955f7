package dev.silkroute.rib.peer;

import dev.silkroute.bgp.RibView;
import dev.silkroute.rib.memory.Counter;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A peer in one view, in one shard: which session speaks for it, and its table of each family. */
public final class PeerView {
    public final PeerState peer;
    final RibView view;
    private volatile Table[] tables = {};

    /** Announcements of families that it has no table of, because there are as many tables as may be: it lacks them like {@link Table#refused}. */
    public final Counter refused = new Counter();

    /** The newest session that has spoken of it; what older ones say counts no more. */
    public long session = Long.MIN_VALUE;
    /** The session of its first announcement since it was blank. */
    public long since = Long.MIN_VALUE;
    /** There has been no announcement since it last ended. */
    public boolean blank = true;
    /** The router's number of {@link #session}. */
    private volatile int ordinal;

    PeerView(PeerState peer, RibView view) {
        this.peer = peer;
        this.view = view;
    }

    public int ordinal() {
        return ordinal;
    }

    @Nullable
    public Table table(int family) {
        for (Table table : tables) {
            if (table.family == family) {
                return table;
            }
        }
        return null;
    }

    /** Few, so that searching them is faster than hashing. */
    public Table[] tables() {
        return tables;
    }

    void add(Table table) {
        Table[] more = Arrays.copyOf(tables, tables.length + 1);
        more[more.length - 1] = table;
        tables = more;
    }

    /** A session speaks of it. */
    public void hear(long by) {
        if (session >= by) {
            return;
        }
        session = by;
        int before = ordinal;
        ordinal = peer.router.holdOrdinal(by);
        if (before != 0) {
            peer.router.dropOrdinal(before, 1);
        }
        refused.set(0);
        for (Table table : tables) {
            table.confirmed.set(0);
            table.refused.set(0);
        }
    }

    /** Announcements that there was no memory or no table for since it began or its session did. */
    public long lacking() {
        long lacking = refused.get();
        for (Table table : tables) {
            lacking += table.refused.get();
        }
        return lacking;
    }

    /** Nobody has spoken of it yet. Its tables have ended. */
    public void forget() {
        session = Long.MIN_VALUE;
        since = Long.MIN_VALUE;
        blank = true;
        refused.set(0);
        if (ordinal != 0) {
            peer.router.dropOrdinal(ordinal, 1);
            ordinal = 0;
        }
        for (Table table : tables) {
            table.synced = Long.MIN_VALUE;
        }
    }

    /** A session announces something of it. */
    public void announced(long by) {
        if (blank && session <= by) {
            blank = false;
            since = by;
        }
        hear(by);
    }

    /** Whether the session that speaks for it is the router's live one. */
    boolean fresh() {
        return ordinal != 0 && ordinal == peer.router.live();
    }
}
