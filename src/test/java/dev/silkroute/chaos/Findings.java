package dev.silkroute.chaos;

import java.util.ArrayList;
import java.util.List;

/** The errors found by the checks: counted by kind, with the first one of each kind in detail. Not thread-safe. */
final class Findings {
    private static final int TOLD = 3;

    private final List<String> texts = new ArrayList<>();

    /** A kind of error. */
    final class Kind {
        private final String name;
        private final List<String> examples = new ArrayList<>();
        private long count;

        private Kind(String name) {
            this.name = name;
        }

        void add(Object... what) {
            if (count++ < TOLD) {
                List<String> parts = new ArrayList<>();
                for (Object part : what) {
                    parts.add(String.valueOf(part));
                }
                examples.add(String.join(" ", parts));
            }
        }

        /** Adds the count to the findings and returns it. */
        long close() {
            if (count > 0) {
                texts.add(count + " × " + name + ", such as " + String.join("; ", examples));
            }
            return count;
        }
    }

    Kind kind(String name) {
        return new Kind(name);
    }

    void add(String text) {
        texts.add(text);
    }

    List<String> texts() {
        return List.copyOf(texts);
    }
}
