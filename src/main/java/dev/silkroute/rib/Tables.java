package dev.silkroute.rib;

import java.util.Arrays;

/** The tables of a shard by their numbers, from 1 on. */
final class Tables {
    private final int limit;
    private volatile Table[] tables = new Table[64];
    private int count;

    Tables(int limit) {
        this.limit = limit;
    }

    boolean room() {
        return count < limit;
    }

    int next() {
        return count + 1;
    }

    void add(Table table) {
        Table[] now = tables;
        count++;
        if (count == now.length) {
            now = Arrays.copyOf(now, count * 2);
        }
        now[count] = table;
        tables = now;
    }

    Table get(int id) {
        return tables[id];
    }

    int count() {
        return count;
    }

    /** By number; elements after the last are null. */
    Table[] all() {
        return tables;
    }
}
