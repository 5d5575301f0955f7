package dev.silkroute.chaos;

import java.util.ArrayList;
import java.util.List;

/** What was found to be wrong: all counted, the first of each kind told. Not thread-safe. */
final class Findings {
    private static final int TOLD = 3;

    private final List<String> texts = new ArrayList<>();

    /** A kind of fault. */
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

        /** How many; they are in the findings from now on. */
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
