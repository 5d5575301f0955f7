package dev.silkroute.rib.peer;

import java.util.Arrays;

/** The tables of a shard by number, from 1 on. */
public final class Tables {
    private final int limit;
    private volatile Table[] tables = new Table[64];
    private volatile int count;

    public Tables(int limit) {
        this.limit = limit;
    }

    boolean hasRoom() {
        return count < limit;
    }

    int next() {
        return count + 1;
    }

    /** Adds a table. The count is published last, so a reader that sees it finds the table. */
    void add(Table table) {
        Table[] now = tables;
        int id = count + 1;
        if (id == now.length) {
            now = Arrays.copyOf(now, id * 2);
        }
        now[id] = table;
        tables = now;
        count = id;
    }

    public Table get(int id) {
        return tables[id];
    }

    public int count() {
        return count;
    }
}
