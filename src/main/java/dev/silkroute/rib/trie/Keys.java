package dev.silkroute.rib.trie;

import dev.silkroute.rib.memory.MemoryBudget;
import dev.silkroute.rib.memory.RecordSlab;

/**
 * The keys of routes: a prefix of one table and RD, or the key bytes of an NLRI of another family. A key leads
 * to the list of its routes. The lower bits of a key are the id of its record, from 1 on; each subclass has ids of its
 * own.
 *
 * <pre>
 * record     0 first route, or the complement (~) of a long list's record | what the subclass adds
 * long list  0 first route | 1 number of routes
 * </pre>
 *
 * For example, word 0 is 0x41 for a key whose newest route is 0x41, and ~3 for a key with more than 16 routes whose
 * long list is record 3. See {@code RouteLists}.
 *
 * <p>One thread writes; the first route is published with a release store, so readers that follow it see the whole
 * route.
 */
public abstract class Keys {
    private static final int HEAD = 0;
    private static final int FIRST = 0;
    private static final int COUNT = 1;

    private final RecordSlab records;
    private final RecordSlab longLists;
    /** The bits of a key that are the record's id. */
    private final int idMask;

    /**
     * Creates an empty store.
     *
     * @param width ints per record
     * @param longLists the records of long lists, shared by all kinds of keys
     */
    public Keys(int width, int idBits, RecordSlab longLists, MemoryBudget memory) {
        records = new RecordSlab(width, memory);
        this.longLists = longLists;
        idMask = (1 << idBits) - 1;
    }

    /** Creates the store for the records of long lists. */
    public static RecordSlab longLists(MemoryBudget memory) {
        return new RecordSlab(2, memory);
    }

    /** Returns the first route, 0 if the key has none (any more). */
    public int head(int key) {
        int head = records.read(key & idMask, HEAD);
        return head >= 0 ? head : longLists.read(~head, FIRST);
    }

    /** Returns word 0 of the record: the first route, or the complement of a long list. */
    public int headWord(int key) {
        return records.read(key & idMask, HEAD);
    }

    /** Reads the first routes of several keys, for the writer. */
    public void heads(int[] keys, int count, int[] heads) {
        records.get(keys, count, idMask, HEAD, heads);
        for (int i = 0; i < count; i++) {
            heads[i] = heads[i] >= 0 ? heads[i] : longLists.get(~heads[i], FIRST);
        }
    }

    public void publishHead(int key, int route) {
        int head = records.get(key & idMask, HEAD);
        if (head >= 0) {
            records.publish(key & idMask, HEAD, route);
        } else {
            longLists.publish(~head, FIRST, route);
        }
    }

    /** Returns the number of routes of a key with a long list, 0 for other keys, whose lists have to be walked. */
    public int count(int key) {
        int head = records.read(key & idMask, HEAD);
        return head >= 0 ? 0 : longLists.read(~head, COUNT);
    }

    public void count(int key, int routes) {
        longLists.publish(~records.get(key & idMask, HEAD), COUNT, routes);
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
        longLists.set(list, FIRST, records.get(key & idMask, HEAD));
        longLists.set(list, COUNT, routes);
        records.publish(key & idMask, HEAD, ~list);
        return true;
    }

    /**
     * Turns a key's long list into a plain one.
     *
     * @return the record of the long list, to be released when no reader can have it
     */
    public int makeShort(int key) {
        int list = ~records.get(key & idMask, HEAD);
        records.publish(key & idMask, HEAD, longLists.get(list, FIRST));
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
        records.set(id, HEAD, 0);
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
        return records.hasRoom(1);
    }

    /** The number of keys in use. */
    public abstract int used();
}
