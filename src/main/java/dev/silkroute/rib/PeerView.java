package dev.silkroute.rib;

import dev.silkroute.bgp.RibView;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A peer in one view, in one shard: which session speaks for it, and its table of each family. */
final class PeerView {
    final PeerState peer;
    final RibView view;
    private volatile Table[] tables = {};

    /** Announcements of families that it has no table of, because there are as many tables as may be: it lacks them like {@link Table#refused}. */
    final Count refused = new Count();

    /** The newest session that has spoken of it; what older ones say counts no more. */
    long session = Long.MIN_VALUE;
    /** The session of its first announcement since it was blank. */
    long since = Long.MIN_VALUE;
    /** There has been no announcement since it last ended. */
    boolean blank = true;
    /** The router's number of {@link #session}. */
    private volatile int ordinal;

    PeerView(PeerState peer, RibView view) {
        this.peer = peer;
        this.view = view;
    }

    int ordinal() {
        return ordinal;
    }

    @Nullable
    Table table(int family) {
        for (Table table : tables) {
            if (table.family == family) {
                return table;
            }
        }
        return null;
    }

    /** Few, so that searching them is faster than hashing. */
    Table[] tables() {
        return tables;
    }

    void add(Table table) {
        Table[] more = Arrays.copyOf(tables, tables.length + 1);
        more[more.length - 1] = table;
        tables = more;
    }

    /** A session speaks of it. */
    void hear(long by) {
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
    long lacking() {
        long lacking = refused.get();
        for (Table table : tables) {
            lacking += table.refused.get();
        }
        return lacking;
    }

    /** Nobody has spoken of it yet. Its tables have ended. */
    void forget() {
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
    void announced(long by) {
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
