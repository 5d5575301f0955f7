package dev.silkroute.rib.trie;

import dev.silkroute.rib.memory.MemoryBudget;
import dev.silkroute.rib.memory.PairSlab;
import dev.silkroute.rib.memory.RecordSlab;

/**
 * The keys of routes: a prefix of one table and RD, or the key bytes of an NLRI of another family. A key leads
 * to the list of its routes. The lower bits of a key are the id of its record, from 1 on; each subclass has ids of its
 * own.
 *
 * <pre>
 * head       first route | its attributes; or the complement (~) of a long list's record | 0
 * record     what the subclass stores
 * long list  0 first route | 1 number of routes
 * </pre>
 *
 * For example, a key whose newest route is 0x41, with attribute set 1, has the head 0x41, 1. A key with more than 16
 * routes whose long list is record 3 has the head ~3, 0. See {@code RouteLists}. The head repeats the attributes of the
 * first route so that a longest match finds them without reading the route's record, which would be one more cache
 * miss.
 *
 * <p>One thread writes; the head is published with a release store, so readers that follow it see the whole route.
 */
public abstract class Keys {
    private static final int FIRST = 0;
    private static final int COUNT = 1;

    private final PairSlab heads;
    private final RecordSlab records;
    private final RecordSlab longLists;
    /** The bits of a key that are the record's id. */
    private final int idMask;

    /**
     * Creates an empty store.
     *
     * @param width ints per record, at least 1
     * @param longLists the records of long lists, shared by all kinds of keys
     */
    public Keys(int width, int idBits, RecordSlab longLists, MemoryBudget memory) {
        heads = new PairSlab(memory);
        records = new RecordSlab(width, memory);
        this.longLists = longLists;
        idMask = (1 << idBits) - 1;
    }

    /** Creates the store for the records of long lists. */
    public static RecordSlab longLists(MemoryBudget memory) {
        return new RecordSlab(2, memory);
    }

    /**
     * Returns a key's head: 0 if the key has no route (any more), negative if it has a long list, otherwise the first
     * route, {@link #routeOf}, and its attributes, {@link #attributesOf}.
     */
    public long head(int key) {
        return heads.read(key & idMask);
    }

    /** @param head not that of a long list */
    public static int routeOf(long head) {
        return PairSlab.first(head);
    }

    /** @param head not that of a long list */
    public static int attributesOf(long head) {
        return PairSlab.second(head);
    }

    /** Returns the first route, 0 if the key has none (any more). */
    public int firstRoute(int key) {
        int first = PairSlab.first(head(key));
        return first >= 0 ? first : longLists.read(~first, FIRST);
    }

    /** Returns whether the key has routes, for the writer. */
    public boolean hasRoutes(int key) {
        return heads.get(key & idMask) != 0;
    }

    /** Returns whether the key has a long list, for the writer. */
    public boolean isLong(int key) {
        return heads.get(key & idMask) < 0;
    }

    /**
     * Reads the first routes of several keys, for the writer, and their attributes; 0 for those of long lists.
     *
     * @param keys keys in use
     */
    public void firsts(int[] keys, int count, int[] routes, int[] attributes) {
        for (int i = 0; i < count; i++) {
            long head = heads.get(keys[i] & idMask);
            routes[i] = PairSlab.first(head);
            attributes[i] = PairSlab.second(head);
        }
        for (int i = 0; i < count; i++) {
            routes[i] = routes[i] >= 0 ? routes[i] : longLists.get(~routes[i], FIRST);
        }
    }

    /** Makes a route the first one, or 0 and 0 for a key whose last route is removed. */
    public void publishFirst(int key, int route, int attributes) {
        if (isLong(key)) {
            longLists.publish(longList(key), FIRST, route);
        } else {
            heads.publish(key & idMask, PairSlab.pair(route, attributes));
        }
    }

    /** Publishes the changed attributes of a route where it is the first one. */
    public void publishAttributes(int key, int route, int attributes) {
        if (PairSlab.first(heads.get(key & idMask)) == route) {
            heads.publish(key & idMask, PairSlab.pair(route, attributes));
        }
    }

    /** Returns the number of routes of a key with a long list, 0 for other keys, whose lists have to be walked. */
    public int count(int key) {
        int first = PairSlab.first(head(key));
        return first >= 0 ? 0 : longLists.read(~first, COUNT);
    }

    public void count(int key, int routes) {
        longLists.publish(longList(key), COUNT, routes);
    }

    private int longList(int key) {
        return ~PairSlab.first(heads.get(key & idMask));
    }

    /**
     * Gives a key a long list if there is memory for it.
     *
     * @return whether the key has a long list now
     */
    public boolean makeLong(int key, int routes) {
        if (!longLists.canGrow()) {
            return false;
        }
        int list = longLists.claim();
        longLists.set(list, FIRST, firstRoute(key));
        longLists.set(list, COUNT, routes);
        heads.publish(key & idMask, PairSlab.pair(~list, 0));
        return true;
    }

    /**
     * Turns a key's long list into a plain one.
     *
     * @param attributes those of the first route
     * @return the record of the long list, to be released when no reader can have it
     */
    public int makeShort(int key, int attributes) {
        int list = longList(key);
        heads.publish(key & idMask, PairSlab.pair(longLists.get(list, FIRST), attributes));
        return list;
    }

    protected int get(int key, int word) {
        return records.get(key & idMask, word);
    }

    protected void set(int key, int word, int value) {
        records.set(key & idMask, word, value);
    }

    /** Allocates a record without routes and returns its id. */
    public int claimId() {
        int id = records.claim();
        heads.ensure(id);
        heads.publish(id, 0);
        return id;
    }

    /** Frees a key that no reader can have. */
    public void release(int key) {
        records.release(key & idMask);
    }

    /** Returns whether there is no id for another key, however much memory is left. */
    public boolean full() {
        return !records.hasReleased() && records.limit() > idMask;
    }

    /** Returns whether another key can be stored without another segment. */
    public boolean hasRoom() {
        return records.hasReleased() || records.hasRoom(1) && heads.covers(records.limit());
    }

    /** The number of keys in use. */
    public abstract int used();
}
