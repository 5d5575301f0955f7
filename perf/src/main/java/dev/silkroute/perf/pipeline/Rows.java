package dev.silkroute.perf.pipeline;

import java.util.ArrayList;
import java.util.List;

/** The rows that an operation inserts, by column. */
record Rows(List<Long> ids, List<String> words, List<Long> values) {
    static Rows of(Task task, long operation) {
        Rows rows = new Rows(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        for (int i = 0; i < task.rows(); i++) {
            long id = task.id(operation, i);
            rows.ids.add(id);
            rows.words.add("word " + id);
            rows.values.add(id * 3);
        }
        return rows;
    }
}
