package dev.silkroute.rib.store;

import dev.silkroute.rib.memory.MemoryBudget;
import dev.silkroute.rib.memory.RecordSlab;
import dev.silkroute.rib.peer.Table;
import dev.silkroute.rib.peer.Tables;

/**
 * Routes, in pages of 64 that each belong to one table: a table's routes lie together, and the page says whose they are and of which
 * of the table's lives, once for all of them.
 *
 * <pre>
 * route 0 next of the same key | 1 attributes | 2 session | 3 key, top bit: has a path identifier
 * page  0 table | 1 epoch | 2..3 live | 4..5 taken | 6 position in the table | 7, 8 neighbours among the pages with room | 9 path identifiers
 * path identifiers  one for each route of a page; only for pages that have routes with them
 * </pre>
 *
 * A route's attributes are a set ({@code > 0}) or, complemented, an {@link RouteExtras extra} that names one. A route is read by whoever has come to it until
 * it is released: its bit in {@code live} goes at once, the one in {@code taken} when no reader can have it.
 */
public final class RouteRecords {
    public static final int NEXT = 0;
    public static final int ATTRIBUTES = 1;
    public static final int SESSION = 2;
    public static final int KEY = 3;

    public static final int HAS_PATH_ID = 1 << 31;
    public static final int PAGE_SHIFT = 6;

    private static final int SLOTS = 1 << PAGE_SHIFT;
    private static final int OWNER = 0;
    private static final int EPOCH = 1;
    private static final int LIVE = 2;
    private static final int TAKEN = 4;
    private static final int POSITION = 6;
    private static final int WITH_ROOM_BEFORE = 7;
    private static final int WITH_ROOM_AFTER = 8;
    private static final int PATHS = 9;

    public final RecordSlab data;
    private final RecordSlab pages;
    private final RecordSlab paths;

    RouteRecords(MemoryBudget memory) {
        data = new RecordSlab(4, memory);
        pages = new RecordSlab(10, memory);
        paths = new RecordSlab(SLOTS, memory);
    }

    public static int page(int route) {
        return route >>> PAGE_SHIFT;
    }

    int owner(int route) {
        return pages.get(page(route), OWNER);
    }

    public int epoch(int page) {
        return pages.read(page, EPOCH);
    }

    /** What some routes have; whose they are is loaded along. @return not to be looked at */
    public int attributes(int[] routes, int count, int[] attributes) {
        data.get(routes, count, -1, ATTRIBUTES, attributes);
        int touched = 0;
        for (int i = 0; i < count; i++) {
            touched += pages.get(page(routes[i]), EPOCH);
        }
        return touched;
    }

    public int pageOwner(int page) {
        return pages.read(page, OWNER);
    }

    /** The path identifier of a route that has one. */
    public int pathId(int route) {
        return paths.get(pages.get(page(route), PATHS), route & SLOTS - 1);
    }

    /** Before the route is shown. */
    public void pathId(int route, int id) {
        int of = pages.get(page(route), PATHS);
        if (of == 0) {
            of = paths.claim();
            pages.set(page(route), PATHS, of);
        }
        paths.set(of, route & SLOTS - 1, id);
    }

    /** Half of the bits of a page's live routes. */
    public int live(int page, int half) {
        return pages.read(page, LIVE + half);
    }

    /**
     * The bits of a page's live routes if it is a table's, otherwise 0. For readers that know the number of the page from before their section, where it may be
     * used again: another table shows routes in it only when it is its own, so what is read first are the bits.
     */
    public long live(int page, Table table) {
        long live = Integer.toUnsignedLong(live(page, 0)) | (long) live(page, 1) << 32;
        return live != 0 && isOf(page, table) ? live : 0;
    }

    /** A free record in one of the table's pages; {@link #show} makes it one of its routes. */
    public int claim(Table table) {
        int page = table.withRoom();
        if (page == 0) {
            page = newPage(table);
        }
        int half = pages.get(page, TAKEN) != -1 ? 0 : 1;
        int taken = pages.get(page, TAKEN + half);
        int bit = Integer.numberOfTrailingZeros(~taken);
        pages.set(page, TAKEN + half, taken | 1 << bit);
        if (pages.get(page, TAKEN) == -1 && pages.get(page, TAKEN + 1) == -1) {
            unlinkRoom(table, page);
        }
        return page << PAGE_SHIFT | half << 5 | bit;
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
        data.ensure(page << PAGE_SHIFT | SLOTS - 1);
        pages.set(page, LIVE, 0);
        pages.set(page, LIVE + 1, 0);
        pages.set(page, TAKEN, 0);
        pages.set(page, TAKEN + 1, 0);
        pages.set(page, PATHS, 0);
        pages.set(page, EPOCH, table.epoch());
        pages.publish(page, OWNER, table.id);
        pages.set(page, POSITION, table.addPage(page));
        linkRoom(table, page);
        return page;
    }

    private void linkRoom(Table table, int page) {
        pages.set(page, WITH_ROOM_BEFORE, 0);
        pages.set(page, WITH_ROOM_AFTER, table.withRoom());
        if (table.withRoom() != 0) {
            pages.set(table.withRoom(), WITH_ROOM_BEFORE, page);
        }
        table.withRoom(page);
    }

    private void unlinkRoom(Table table, int page) {
        int before = pages.get(page, WITH_ROOM_BEFORE);
        int after = pages.get(page, WITH_ROOM_AFTER);
        if (before == 0) {
            table.withRoom(after);
        } else {
            pages.set(before, WITH_ROOM_AFTER, after);
        }
        if (after != 0) {
            pages.set(after, WITH_ROOM_BEFORE, before);
        }
    }

    /** @return a page that has become empty and is no more the table's, 0 if there is none: to be released when no reader has it */
    int release(Tables tables, int route) {
        int page = page(route);
        Table table = tables.get(pages.get(page, OWNER));
        int word = TAKEN + (route >>> 5 & 1);
        boolean full = pages.get(page, TAKEN) == -1 && pages.get(page, TAKEN + 1) == -1;
        pages.set(page, word, pages.get(page, word) & ~(1 << (route & 31)));
        if (pages.get(page, EPOCH) != table.epoch()) {
            return 0; // with all its routes, later
        }
        if (pages.get(page, TAKEN) == 0 && pages.get(page, TAKEN + 1) == 0) {
            if (!full) {
                unlinkRoom(table, page);
            }
            table.removePage(pages.get(page, POSITION));
            return page;
        }
        if (full) {
            linkRoom(table, page);
        }
        return 0;
    }

    void releasePage(int page) {
        if (pages.get(page, PATHS) != 0) {
            paths.release(pages.get(page, PATHS));
        }
        pages.release(page);
    }

    /** Whether a route, with a path identifier or without, can be added to a table without another segment. */
    boolean room(Table table, boolean pathId) {
        boolean inPage = table.withRoom() != 0
                || pages.hasReleased()
                || pages.room(1) && data.covers(pages.limit() << PAGE_SHIFT | SLOTS - 1);
        return inPage && (!pathId || paths.room(1));
    }

    /** Whether a page belongs to a table as it is now. */
    public boolean isOf(int page, Table table) {
        return pages.read(page, OWNER) == table.id && pages.read(page, EPOCH) == table.epoch();
    }

    /** Pages, and those with path identifiers together. */
    public int used() {
        return pages.used() + paths.used();
    }
}
