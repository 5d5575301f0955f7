package dev.silkroute.rib.store;

import dev.silkroute.rib.memory.MemoryBudget;
import dev.silkroute.rib.memory.RecordSlab;

/**
 * The session that last announced each route, as an ordinal of its router. Nearly all pages have routes of one session
 * only, and store it once; while a new session sends a table again, a page has an ordinal for each route.
 *
 * <pre>
 * word SESSION of a page   ordinal of all its routes, or the complement (~) of a record
 * record                   64 ints, the ordinal of each route of the page
 *
 * a page of session 1, of which session 2 has announced route 0 again: SESSION ~1; record 1: 2 1 1 … 1
 * </pre>
 *
 * A record is filled before its page leads to it, and is reclaimed when no reader can have it. One thread writes.
 */
final class RouteSessions {
    private final RecordSlab pages;
    /** The word of a page that this class owns. */
    private final int word;

    private final RecordSlab records;

    RouteSessions(RecordSlab pages, int word, MemoryBudget memory) {
        this.pages = pages;
        this.word = word;
        records = new RecordSlab(RouteRecords.PAGE_SIZE, memory);
    }

    private static int index(int route) {
        return route & RouteRecords.PAGE_SIZE - 1;
    }

    int get(int route) {
        int session = pages.read(RouteRecords.page(route), word);
        return session >= 0 ? session : records.read(~session, index(route));
    }

    /** Starts a new page, all routes of which have this ordinal. */
    void begin(int page, int ordinal) {
        pages.set(page, word, ordinal);
    }

    /** Returns whether the page has one ordinal for all routes. */
    boolean isUniform(int page) {
        return pages.get(page, word) >= 0;
    }

    /** Returns whether a route of the page can have this ordinal without another segment. */
    boolean hasRoom(int page, int ordinal) {
        int session = pages.get(page, word);
        return session < 0 || session == ordinal || records.hasRoom(1);
    }

    /** Returns whether a route of the page can have this ordinal within the budget. */
    boolean canSet(int page, int ordinal) {
        int session = pages.get(page, word);
        return session < 0 || session == ordinal || records.canGrow();
    }

    void set(int route, int ordinal) {
        int page = RouteRecords.page(route);
        int session = pages.get(page, word);
        if (session == ordinal) {
            return;
        }
        if (session < 0) {
            records.publish(~session, index(route), ordinal);
            return;
        }
        int record = records.claim();
        for (int i = 0; i < RouteRecords.PAGE_SIZE; i++) {
            records.set(record, i, session);
        }
        records.set(record, index(route), ordinal);
        pages.publish(page, word, ~record);
    }

    /**
     * Stores an ordinal once for a page with a record, if all routes of the page have it.
     *
     * @param allocated bitmap of the routes that readers may have
     * @return the record, to be released when no reader can have it; 0 if routes have other ordinals
     */
    int unite(int page, long allocated, int ordinal) {
        int record = ~pages.get(page, word);
        // From the last one down: a table is mostly sent in the order in which it was sent before.
        for (long left = allocated; left != 0; left ^= Long.highestOneBit(left)) {
            if (records.get(record, 63 - Long.numberOfLeadingZeros(left)) != ordinal) {
                return 0;
            }
        }
        pages.publish(page, word, ordinal);
        return record;
    }

    /** Frees the record of a page that no reader can reach. */
    void releasePage(int page) {
        if (!isUniform(page)) {
            release(~pages.get(page, word));
        }
    }

    void release(int record) {
        records.release(record);
    }

    int used() {
        return records.used();
    }
}
