package dev.silkroute.rib;

/**
 * What routes are filed under: a prefix of a table and RD, or the key bytes of another family's NLRI. A key knows the first of its routes and
 * how many there are. Ids are from 1 on, each kind of keys has its own.
 */
abstract class Keys {
    static final int HEAD = 0;
    static final int COUNT = 1;

    final Records records;

    Keys(int width, Memory memory) {
        records = new Records(width, memory);
    }

    /** The first route, 0 if there is none (any more). */
    int head(int key) {
        return records.read(key, HEAD);
    }

    int count(int key) {
        return records.get(key, COUNT);
    }

    /** Keys that are there. */
    abstract int used();
}
