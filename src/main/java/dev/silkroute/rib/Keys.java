package dev.silkroute.rib;

/**
 * What routes are filed under: a prefix of a table and RD, or the key bytes of another family's NLRI. A key knows the first of its routes and
 * how many there are. The lower bits of a key are the id of its record, from 1 on; each kind of keys has its own.
 */
abstract class Keys {
    static final int HEAD = 0;
    static final int COUNT = 1;

    private final Records records;
    /** Of the bits that are the id. */
    private final int ids;

    Keys(int width, int idBits, Memory memory) {
        records = new Records(width, memory);
        ids = (1 << idBits) - 1;
    }

    /** The first route, 0 if there is none (any more). */
    int head(int key) {
        return records.read(key & ids, HEAD);
    }

    /** The first routes of some keys, for the writer. */
    void heads(int[] keys, int count, int[] heads) {
        records.get(keys, count, ids, HEAD, heads);
    }

    void publishHead(int key, int route) {
        records.publish(key & ids, HEAD, route);
    }

    int count(int key) {
        return records.get(key & ids, COUNT);
    }

    void count(int key, int routes) {
        records.set(key & ids, COUNT, routes);
    }

    int get(int key, int word) {
        return records.get(key & ids, word);
    }

    void set(int key, int word, int value) {
        records.set(key & ids, word, value);
    }

    /** The id of a new record, without routes. */
    int claimId() {
        int id = records.claim();
        records.set(id, HEAD, 0);
        records.set(id, COUNT, 0);
        return id;
    }

    /** Gives a key back that no reader can have. */
    void release(int key) {
        records.release(key & ids);
    }

    /** Whether there is no id for another key, whatever memory is left. */
    boolean full() {
        return !records.hasReleased() && records.limit() > ids;
    }

    /** Whether another key can be had without another segment. */
    boolean room() {
        return records.room(1);
    }

    /** Keys that are there. */
    abstract int used();
}
