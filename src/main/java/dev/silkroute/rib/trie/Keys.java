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
    private final RecordSlab lists;
    /** Of the bits that are the id. */
    private final int ids;

    /** @param lists where long lists are; all kinds of keys may share it */
    public Keys(int width, int idBits, RecordSlab lists, MemoryBudget memory) {
        records = new RecordSlab(width, memory);
        this.lists = lists;
        ids = (1 << idBits) - 1;
    }

    /** Records for long lists. */
    public static RecordSlab lists(MemoryBudget memory) {
        return new RecordSlab(2, memory);
    }

    /** The first route, 0 if there is none (any more). */
    public int head(int key) {
        int head = records.read(key & ids, HEAD);
        return head >= 0 ? head : lists.read(~head, FIRST);
    }

    /** The first route of a key whose list isn't long, the complement of the list otherwise. */
    public int entry(int key) {
        return records.read(key & ids, HEAD);
    }

    /** The first routes of some keys, for the writer. */
    public void heads(int[] keys, int count, int[] heads) {
        records.get(keys, count, ids, HEAD, heads);
        for (int i = 0; i < count; i++) {
            heads[i] = heads[i] >= 0 ? heads[i] : lists.get(~heads[i], FIRST);
        }
    }

    public void publishHead(int key, int route) {
        int head = records.get(key & ids, HEAD);
        if (head >= 0) {
            records.publish(key & ids, HEAD, route);
        } else {
            lists.publish(~head, FIRST, route);
        }
    }

    /** How many routes a key with a long list has; 0 for other keys, whose lists are to be walked. */
    public int count(int key) {
        int head = records.read(key & ids, HEAD);
        return head >= 0 ? 0 : lists.read(~head, COUNT);
    }

    public void count(int key, int routes) {
        lists.publish(~records.get(key & ids, HEAD), COUNT, routes);
    }

    /** Makes a key's list a long one if there is memory for that. @return whether it is one now */
    public boolean lengthen(int key, int routes) {
        if (!lists.fits()) {
            return false;
        }
        int list = lists.claim();
        lists.set(list, FIRST, records.get(key & ids, HEAD));
        lists.set(list, COUNT, routes);
        records.publish(key & ids, HEAD, ~list);
        return true;
    }

    /** Makes a long list one like others. @return what remembered it, to be released when no reader has it */
    public int shorten(int key) {
        int list = ~records.get(key & ids, HEAD);
        records.publish(key & ids, HEAD, lists.get(list, FIRST));
        return list;
    }

    protected int get(int key, int word) {
        return records.get(key & ids, word);
    }

    protected void set(int key, int word, int value) {
        records.set(key & ids, word, value);
    }

    /** The id of a new record, without routes. */
    public int claimId() {
        int id = records.claim();
        records.set(id, HEAD, 0);
        return id;
    }

    /** Gives a key back that no reader can have. */
    public void release(int key) {
        records.release(key & ids);
    }

    /** Whether there is no id for another key, whatever memory is left. */
    public boolean full() {
        return !records.hasReleased() && records.limit() > ids;
    }

    /** Whether another key can be had without another segment. */
    public boolean room() {
        return records.room(1);
    }

    /** Keys that are there. */
    public abstract int used();
}
