package dev.silkroute.rib.peer;

import dev.silkroute.bgp.RibView;
import dev.silkroute.rib.memory.Counter;
import dev.silkroute.state.RouterSession;
import dev.silkroute.state.TablePhase;
import dev.silkroute.state.ViewPhase;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A peer in one RIB view, in one shard: its phase and its table of each family. Only the shard's writer changes it;
 * readers use the tables and the ordinal.
 */
public final class PeerView {
    public final PeerState peer;
    final RibView view;
    private volatile Table[] tables = {};

    /** Rejected announcements of families for which there is no table, because the limit of tables is reached. */
    public final Counter rejected = new Counter();

    private ViewPhase phase = ViewPhase.UNKNOWN;
    /** {@link ViewPhase#session} of the phase, for the comparison that every route needs. */
    public long session = RouterSession.NONE;
    /** True if the phase is {@link ViewPhase.Populated}. */
    private boolean populated;
    /** The router's ordinal of {@link #session}, 0 if there is none. */
    private volatile int ordinal;

    PeerView(PeerState peer, RibView view) {
        this.peer = peer;
        this.view = view;
    }

    public ViewPhase phase() {
        return phase;
    }

    /** Stores the phase that follows an event. A newer session begins to count confirmed and rejected routes from 0. */
    public void moveTo(ViewPhase next) {
        if (next == phase) {
            return;
        }
        phase = next;
        populated = next instanceof ViewPhase.Populated;
        if (next.session() > session) {
            session = next.session();
            int before = ordinal;
            ordinal = peer.router.holdOrdinal(session);
            if (before != 0) {
                peer.router.dropOrdinal(before, 1);
            }
            rejected.set(0);
            for (Table table : tables) {
                table.confirmed.set(0);
                table.rejected.set(0);
            }
        }
    }

    /** A session announces a route. Called for every announcement, of which few change the phase. */
    public void announced(long by) {
        if (by > session || !populated && by == session) {
            moveTo(phase.announced(by));
        }
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

    /** The tables, too few for a hash map to be faster than a search. */
    public Table[] tables() {
        return tables;
    }

    void add(Table table) {
        Table[] more = Arrays.copyOf(tables, tables.length + 1);
        more[more.length - 1] = table;
        tables = more;
    }

    /**
     * Announcements rejected for lack of memory or of a table since the routes last ended or a newer session mentioned
     * the view.
     */
    public long rejected() {
        long sum = rejected.get();
        for (Table table : tables) {
            sum += table.rejected.get();
        }
        return sum;
    }

    /** Returns to the phase of a view that no session has mentioned. The caller has ended the tables. */
    public void reset() {
        phase = ViewPhase.UNKNOWN;
        session = RouterSession.NONE;
        populated = false;
        rejected.set(0);
        if (ordinal != 0) {
            peer.router.dropOrdinal(ordinal, 1);
            ordinal = 0;
        }
        for (Table table : tables) {
            table.phase = TablePhase.UNSYNCHRONIZED;
        }
    }

    /** Returns whether the router's session is up and the newest one that mentioned the view. */
    public boolean fresh() {
        return ordinal != 0 && ordinal == peer.router.live();
    }
}
