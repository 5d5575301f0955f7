package dev.silkroute.rib.store;

import dev.silkroute.rib.memory.MemoryBudget;
import dev.silkroute.rib.memory.PairSlab;
import dev.silkroute.rib.memory.ReclaimQueue;
import dev.silkroute.rib.memory.RecordSlab;
import dev.silkroute.rib.peer.Table;
import dev.silkroute.rib.peer.Tables;
import org.jspecify.annotations.Nullable;

/**
 * Routes. A route is a record of three ints, in a page of 64 that belongs to one table, so a table's routes lie
 * together and the page holds what they have in common: the table, the table's epoch when the page was created, and
 * mostly the session that announced them.
 *
 * <pre>
 * route     page &lt;&lt; 6 | index in the page
 *           0 next route of the same key | 1 attributes | 2 key; top bit: has path id
 * owner     of a page: table | epoch; 0 and 0 for a released page
 * page      0 position in the table | 1, 2 bitmap live | 3, 4 bitmap allocated
 *           5, 6 previous and next page with room | 7 record of path identifiers, 0 if none
 *           8 ordinal of the session, see {@link RouteSessions}
 * path ids  64 ints, one per route of a page; only for pages in which a route has one
 *
 * 192.0.2.0/24 (key 0x30000001) with attribute set 1 in session 1, the second route of page 1:
 * route 0x41   00000000 00000001 30000001
 * owner of 1   00000001 00000001
 * page 1       00000000 00000003 00000000 00000003 00000000 00000000 00000000 00000000 00000001
 * </pre>
 *
 * Attributes are an attribute set if positive, else the complement of an {@link RouteExtras extra} that refers to one.
 *
 * <p>Visibility: a route is reached through its key's list or through the {@code live} bitmap of its page, and counts
 * only if the page's epoch is the table's current epoch. Ending a table is therefore one store, of the table's epoch.
 * {@code live} is cleared at once when a route is removed; {@code allocated} only when no reader can have the record
 * any more.
 */
public final class RouteRecords {
    public static final int NEXT = 0;
    public static final int ATTRIBUTES = 1;
    public static final int KEY = 2;

    public static final int HAS_PATH_ID = 1 << 31;
    public static final int PAGE_SHIFT = 6;

    static final int PAGE_SIZE = 1 << PAGE_SHIFT;
    private static final int POSITION = 0;
    private static final int LIVE = 1;
    private static final int ALLOCATED = 3;
    private static final int PREVIOUS_WITH_ROOM = 5;
    private static final int NEXT_WITH_ROOM = 6;
    private static final int PATH_IDS = 7;
    private static final int SESSION = 8;

    public final RecordSlab data;
    private final RecordSlab pages;
    /** Table and epoch of each page. */
    private final PairSlab owners;

    private final RecordSlab pathIds;
    private final RouteSessions sessions;
    private final ReclaimQueue reclaimQueue;

    RouteRecords(ReclaimQueue reclaimQueue, MemoryBudget memory) {
        this.reclaimQueue = reclaimQueue;
        data = new RecordSlab(3, memory);
        pages = new RecordSlab(9, memory);
        owners = new PairSlab(memory);
        pathIds = new RecordSlab(PAGE_SIZE, memory);
        sessions = new RouteSessions(pages, SESSION, memory);
    }

    public static int page(int route) {
        return route >>> PAGE_SHIFT;
    }

    /** The id of the table that a route belongs to. */
    public int owner(int route) {
        return PairSlab.first(owners.get(page(route)));
    }

    /** The key of a route. */
    public int key(int route) {
        return data.get(route, KEY) & ~HAS_PATH_ID;
    }

    public boolean hasPathId(int route) {
        return data.get(route, KEY) < 0;
    }

    /** The attributes of a route, for readers. */
    public int attributes(int route) {
        return data.read(route, ATTRIBUTES);
    }

    /**
     * Returns the table of a route that a reader has found by its key, null if the table has ended since the route was
     * added.
     */
    public @Nullable Table tableOf(int route, Tables tables) {
        // The page was written before the route was published.
        long owner = owners.get(page(route));
        Table table = tables.get(PairSlab.first(owner));
        return PairSlab.second(owner) == table.epoch() ? table : null;
    }

    /**
     * Loads the records of several routes and what their pages have in common into the caches.
     *
     * @return a dummy value that keeps the JIT compiler from eliminating the loads
     */
    public int touch(int[] routes, int count) {
        int touched = 0;
        for (int i = 0; i < count; i++) {
            touched += data.get(routes[i], ATTRIBUTES);
        }
        for (int i = 0; i < count; i++) {
            touched += owner(routes[i]) + pages.get(page(routes[i]), SESSION);
        }
        return touched;
    }

    /** Reads the attributes of several routes, so that their cache misses overlap. */
    public void attributes(int[] routes, int count, int[] attributes) {
        data.get(routes, count, -1, ATTRIBUTES, attributes);
    }

    /** The path identifier of a route that has one. */
    public int pathId(int route) {
        return pathIds.get(pages.get(page(route), PATH_IDS), route & PAGE_SIZE - 1);
    }

    /** Sets the path identifier of a route that is not visible yet. */
    public void pathId(int route, int id) {
        int of = pages.get(page(route), PATH_IDS);
        if (of == 0) {
            of = pathIds.claim();
            pages.set(page(route), PATH_IDS, of);
        }
        pathIds.set(of, route & PAGE_SIZE - 1, id);
    }

    /** The ordinal of the session that last announced a route. */
    public int session(int route) {
        return sessions.get(route);
    }

    /** Returns whether {@link #session(int, int)} can store an ordinal within the budget. */
    public boolean canSetSession(int route, int ordinal) {
        return sessions.canSet(page(route), ordinal);
    }

    /** Stores the ordinal of the session that has announced a route last. */
    public void session(int route, int ordinal) {
        sessions.set(route, ordinal);
        if (!sessions.isUniform(page(route))) {
            uniteSessions(page(route), ordinal);
        }
    }

    private void uniteSessions(int page, int ordinal) {
        int record = sessions.unite(page, allocated(page), ordinal);
        if (record != 0) {
            reclaimQueue.add(ReclaimQueue.ROUTE_SESSIONS, record, 0);
        }
    }

    private long allocated(int page) {
        return Integer.toUnsignedLong(pages.get(page, ALLOCATED)) | (long) pages.get(page, ALLOCATED + 1) << 32;
    }

    /** Frees a record of {@link RouteSessions} that no reader can reach. */
    void releaseSessions(int record) {
        sessions.release(record);
    }

    /** One half of the bitmap of a page's live routes. */
    public int live(int page, int half) {
        return pages.read(page, LIVE + half);
    }

    /**
     * Returns the bitmap of a page's live routes, 0 if the page no longer belongs to the table. For readers that got
     * the page's number before their section, in which it may have been reused. The bitmap is read first: another table
     * shows routes in the page only after the page is its own.
     */
    public long live(int page, Table table) {
        long live = Integer.toUnsignedLong(live(page, 0)) | (long) live(page, 1) << 32;
        return live != 0 && belongsTo(page, table) ? live : 0;
    }

    /**
     * Returns the table that a page with live routes belongs to, null if it has none. For readers that got the page's
     * number before their section, like {@link #live(int, Table)}, which shows whether the page belongs to the table's
     * current epoch, and reads the bitmap first for the same reason.
     */
    public @Nullable Table table(int page, Tables tables) {
        boolean empty = live(page, 0) == 0 && live(page, 1) == 0;
        return empty ? null : tables.get(PairSlab.first(owners.read(page)));
    }

    /**
     * Allocates a record in one of the table's pages, for a route of the table's newest session. {@link #show} makes it
     * visible.
     */
    public int claim(Table table) {
        int page = table.pageWithRoom();
        if (page == 0) {
            page = newPage(table);
        }
        int half = pages.get(page, ALLOCATED) != -1 ? 0 : 1;
        int allocated = pages.get(page, ALLOCATED + half);
        int bit = Integer.numberOfTrailingZeros(~allocated);
        pages.set(page, ALLOCATED + half, allocated | 1 << bit);
        if (allocated(page) == -1) {
            unlinkPageWithRoom(table, page);
        }
        int route = page << PAGE_SHIFT | half << 5 | bit;
        sessions.set(route, table.peerView.ordinal());
        return route;
    }

    public void show(int route) {
        int word = LIVE + (route >>> 5 & 1);
        pages.publish(page(route), word, pages.get(page(route), word) | 1 << (route & 31));
    }

    public void hide(int route) {
        int word = LIVE + (route >>> 5 & 1);
        pages.publish(page(route), word, pages.get(page(route), word) & ~(1 << (route & 31)));
    }

    private int newPage(Table table) {
        int page = pages.claim();
        owners.ensure(page);
        data.ensure(page << PAGE_SHIFT | PAGE_SIZE - 1);
        pages.set(page, LIVE, 0);
        pages.set(page, LIVE + 1, 0);
        pages.set(page, ALLOCATED, 0);
        pages.set(page, ALLOCATED + 1, 0);
        pages.set(page, PATH_IDS, 0);
        sessions.begin(page, table.peerView.ordinal());
        owners.publish(page, PairSlab.pair(table.id, table.epoch()));
        pages.set(page, POSITION, table.addPage(page));
        linkPageWithRoom(table, page);
        return page;
    }

    private void linkPageWithRoom(Table table, int page) {
        pages.set(page, PREVIOUS_WITH_ROOM, 0);
        pages.set(page, NEXT_WITH_ROOM, table.pageWithRoom());
        if (table.pageWithRoom() != 0) {
            pages.set(table.pageWithRoom(), PREVIOUS_WITH_ROOM, page);
        }
        table.pageWithRoom(page);
    }

    private void unlinkPageWithRoom(Table table, int page) {
        int before = pages.get(page, PREVIOUS_WITH_ROOM);
        int after = pages.get(page, NEXT_WITH_ROOM);
        if (before == 0) {
            table.pageWithRoom(after);
        } else {
            pages.set(before, NEXT_WITH_ROOM, after);
        }
        if (after != 0) {
            pages.set(after, PREVIOUS_WITH_ROOM, before);
        }
    }

    /**
     * Frees a route's record.
     *
     * @return the page if it became empty and no longer belongs to the table, to be released when no reader has it; 0
     *     otherwise
     */
    int release(Tables tables, int route) {
        int page = page(route);
        Table table = tables.get(owner(route));
        int word = ALLOCATED + (route >>> 5 & 1);
        boolean full = allocated(page) == -1;
        pages.set(page, word, pages.get(page, word) & ~(1 << (route & 31)));
        if (!belongsTo(page, table)) {
            return 0; // the page will be released as a whole
        }
        if (allocated(page) == 0) {
            if (!full) {
                unlinkPageWithRoom(table, page);
            }
            table.removePage(pages.get(page, POSITION));
            return page;
        }
        if (full) {
            linkPageWithRoom(table, page);
        }
        if (!sessions.isUniform(page)) {
            uniteSessions(page, sessions.get(page << PAGE_SHIFT | Long.numberOfTrailingZeros(allocated(page))));
        }
        return 0;
    }

    void releasePage(int page) {
        if (pages.get(page, PATH_IDS) != 0) {
            pathIds.release(pages.get(page, PATH_IDS));
        }
        sessions.releasePage(page);
        pages.set(page, LIVE, 0);
        pages.set(page, LIVE + 1, 0);
        owners.publish(page, 0);
        pages.release(page);
    }

    /** Returns whether a route can be added to a table without another segment. */
    boolean hasRoom(Table table, boolean pathId) {
        int page = table.pageWithRoom();
        boolean inPage = page != 0
                ? sessions.hasRoom(page, table.peerView.ordinal())
                : pages.hasReleased()
                        || pages.hasRoom(1)
                                && owners.covers(pages.limit())
                                && data.covers(pages.limit() << PAGE_SHIFT | PAGE_SIZE - 1);
        return inPage && (!pathId || pathIds.hasRoom(1));
    }

    /** Returns whether a page belongs to a table in an epoch. */
    public boolean belongsTo(int page, Table table, int epoch) {
        return owners.read(page) == PairSlab.pair(table.id, epoch);
    }

    /** Returns whether a page belongs to a table in its current epoch. */
    public boolean belongsTo(int page, Table table) {
        return belongsTo(page, table, table.epoch());
    }

    /** The number of pages and of records of path identifiers and sessions in use. */
    public int used() {
        return pages.used() + pathIds.used() + sessions.used();
    }
}
