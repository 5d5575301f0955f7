package dev.silkroute.rib.trie;

import dev.silkroute.rib.memory.MemoryBudget;
import dev.silkroute.rib.memory.RecordSlab;

/**
 * What routes are filed under: a prefix of a table and RD, or the key bytes of another family's NLRI. A key knows the first of its routes. The lower bits
 * of a key are the id of its record, from 1 on; each kind of keys has its own.
 *
 * <pre>
 * record     0 first route, or the complement of a long list
 * long list  0 first route | 1 routes
 * </pre>
 */
public abstract class Keys {
    private static final int HEAD = 0;
    private static final int FIRST = 0;
    private static final int COUNT = 1;

    private final RecordSlab records;
    private final RecordSlab longLists;
    /** Of the bits that are the id. */
    private final int idMask;

    /** @param longLists where long longLists are; all kinds of keys may share it */
    public Keys(int width, int idBits, RecordSlab longLists, MemoryBudget memory) {
        records = new RecordSlab(width, memory);
        this.longLists = longLists;
        idMask = (1 << idBits) - 1;
    }

    /** Records for long longLists. */
    public static RecordSlab longLists(MemoryBudget memory) {
        return new RecordSlab(2, memory);
    }

    /** The first route, 0 if there is none (any more). */
    public int head(int key) {
        int head = records.read(key & idMask, HEAD);
        return head >= 0 ? head : longLists.read(~head, FIRST);
    }

    /** The first route of a key whose list isn't long, the complement of the list otherwise. */
    public int headWord(int key) {
        return records.read(key & idMask, HEAD);
    }

    /** The first routes of some keys, for the writer. */
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

    /** How many routes a key with a long list has; 0 for other keys, whose longLists are to be walked. */
    public int count(int key) {
        int head = records.read(key & idMask, HEAD);
        return head >= 0 ? 0 : longLists.read(~head, COUNT);
    }

    public void count(int key, int routes) {
        longLists.publish(~records.get(key & idMask, HEAD), COUNT, routes);
    }

    /** Makes a key's list a long one if there is memory for that. @return whether it is one now */
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

    /** Makes a long list one like others. @return what remembered it, to be released when no reader has it */
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

    /** The id of a new record, without routes. */
    public int claimId() {
        int id = records.claim();
        records.set(id, HEAD, 0);
        return id;
    }

    /** Gives a key back that no reader can have. */
    public void release(int key) {
        records.release(key & idMask);
    }

    /** Whether there is no id for another key, whatever memory is left. */
    public boolean full() {
        return !records.hasReleased() && records.limit() > idMask;
    }

    /** Whether another key can be had without another segment. */
    public boolean hasRoom() {
        return records.hasRoom(1);
    }

    /** Keys that are there. */
    public abstract int used();
}
