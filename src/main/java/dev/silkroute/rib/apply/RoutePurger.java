package dev.silkroute.rib.apply;

import dev.silkroute.rib.memory.Counter;
import dev.silkroute.rib.memory.ReclaimQueue;
import dev.silkroute.rib.peer.PeerState;
import dev.silkroute.rib.peer.PeerView;
import dev.silkroute.rib.peer.Registry;
import dev.silkroute.rib.peer.RouterState;
import dev.silkroute.rib.peer.Table;
import dev.silkroute.rib.store.RouteRecords;
import dev.silkroute.rib.store.Stores;
import dev.silkroute.state.RouterSession;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;

/**
 * Removes routes that are no longer valid but were not withdrawn one by one, in small steps: those of ended tables,
 * which readers no longer see, and stale ones of tables that a new session has sent completely. Used by the writer
 * only.
 */
public final class RoutePurger {
    /**
     * A table to purge: the pages that it had when it ended, or its current pages, of which routes of sessions before
     * {@code session} are removed.
     */
    private static final class Task {
        final Table table;
        final int[] pages;
        final int epoch;
        final boolean ended;
        final long session;
        int position;

        Task(Table table, int[] pages, int epoch, boolean ended, long session) {
            this.table = table;
            this.pages = pages;
            this.epoch = epoch;
            this.ended = ended;
            this.session = session;
        }
    }

    private final Stores stores;
    private final RouteEditor editor;
    private final Deque<Task> tasks = new ArrayDeque<>();
    /** Routes of ended tables that still take memory. */
    public final Counter hidden = new Counter();
    /** Routes removed to make room for those of other routers, since the start. */
    public final Counter evicted = new Counter();

    RoutePurger(Stores stores, RouteEditor editor) {
        this.stores = stores;
        this.editor = editor;
    }

    /**
     * Makes room for others: ends the largest table of the router that has most routes, if it has more than twice as
     * many as the others have on average. The routes count as rejected, and the table takes none until the router's
     * next session, which sends them again.
     *
     * @return whether a table was ended
     */
    boolean evictLargest(Registry registry) {
        RouterState largest = null;
        long all = 0;
        int routers = 0;
        for (RouterState router : registry.routers()) {
            long routes = router.routes.get();
            all += routes;
            routers += routes > 0 ? 1 : 0;
            largest = largest == null || routes > largest.routes.get() ? router : largest;
        }
        if (largest == null
                || routers < 2
                || largest.routes.get() <= 2 * ((all - largest.routes.get()) / (routers - 1))) {
            return false;
        }
        Table table = null;
        for (PeerState peer : largest.peers.values()) {
            for (PeerView view : Registry.views(peer, PeerEvents.ALL_VIEWS)) {
                for (Table candidate : view.tables()) {
                    table = table == null || candidate.routes.get() > table.routes.get() ? candidate : table;
                }
            }
        }
        if (table == null || table.routes.get() == 0) {
            return false;
        }
        long routes = table.routes.get();
        end(table, registry);
        table.rejected.set(routes);
        table.evictedIn = table.peerView.session;
        evicted.add(routes);
        return true;
    }

    /** Ends a table: its routes become invisible at once, by one store, and are purged later. */
    void end(Table table, Registry registry) {
        int epoch = table.epoch();
        long routes = table.routes.get();
        int[] pages = table.flush();
        registry.count(table, -routes);
        table.confirmed.set(0);
        table.rejected.set(0);
        table.evictedIn = RouterSession.NONE;
        hidden.add(routes);
        if (pages.length > 0) {
            tasks.add(new Task(table, pages, epoch, true, 0));
        }
    }

    /** Schedules the removal of routes that sessions before this one have announced. */
    void purgeOlder(Table table, long session) {
        if (table.peerView.session != session || table.routes.get() > table.confirmed.get()) {
            tasks.add(new Task(table, table.pages(), table.epoch(), false, session));
        }
    }

    boolean pending() {
        return !tasks.isEmpty();
    }

    /**
     * Purges some routes.
     *
     * @return the number of routes removed or checked
     */
    long purge(long most) {
        long done = 0;
        while (done < most && !tasks.isEmpty()) {
            Task task = Objects.requireNonNull(tasks.peek());
            if (task.position == task.pages.length || !task.ended && task.table.epoch() != task.epoch) {
                tasks.remove();
                continue;
            }
            int page = task.pages[task.position++];
            if (page > 0) {
                done += task.ended ? purgeEndedPage(task, page) : purgeOlderRoutes(task, page);
            }
        }
        return done;
    }

    private long purgeEndedPage(Task task, int page) {
        if (!stores.routes.belongsTo(page, task.table, task.epoch)) {
            return 1;
        }
        long done = 0;
        for (int half = 0; half < 2; half++) {
            for (int live = stores.routes.live(page, half); live != 0; live &= live - 1) {
                int route = page << RouteRecords.PAGE_SHIFT | half << 5 | Integer.numberOfTrailingZeros(live);
                stores.routes.hide(route);
                editor.unlink(task.table, route);
                done++;
            }
        }
        hidden.add(-done);
        stores.reclaimQueue.add(ReclaimQueue.PAGE, page, 0);
        return done + 1;
    }

    private long purgeOlderRoutes(Task task, int page) {
        if (!stores.routes.belongsTo(page, task.table)) {
            return 1;
        }
        long done = 1;
        for (int half = 0; half < 2; half++) {
            for (int live = stores.routes.live(page, half); live != 0; live &= live - 1) {
                int route = page << RouteRecords.PAGE_SHIFT | half << 5 | Integer.numberOfTrailingZeros(live);
                int ordinal = stores.routes.session(route);
                if (task.table.peerView.peer.router.sessionOf(ordinal) < task.session) {
                    editor.remove(task.table, route);
                }
                done++;
            }
        }
        return done;
    }
}
