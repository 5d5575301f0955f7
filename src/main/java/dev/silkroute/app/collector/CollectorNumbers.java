package dev.silkroute.app.collector;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * The numbers of collectors, which keep their session ids apart. A collector keeps its number for ever. All collectors
 * apply the same records in the same order; of two that claim one number at the same time, the later one has to claim
 * another. Beyond {@link #LIMIT} collectors, numbers repeat. Not thread-safe.
 */
final class CollectorNumbers {
    /** Maximum number of collectors with a number of their own. */
    static final int LIMIT = 100;

    private final Map<String, Integer> numbers = new HashMap<>();

    /** Applies a record; it has no effect if another collector has the number. */
    void apply(String collector, int number) {
        boolean isTaken = number < 0
                || number >= LIMIT
                || numbers.size() < LIMIT
                        && numbers.entrySet().stream()
                                .anyMatch(other -> other.getValue() == number
                                        && !other.getKey().equals(collector));
        if (!isTaken) {
            numbers.putIfAbsent(collector, number);
        }
    }

    /** Returns a collector's number, empty if it has none yet. */
    OptionalInt of(String collector) {
        Integer number = numbers.get(collector);
        return number == null ? OptionalInt.empty() : OptionalInt.of(number);
    }

    /** Returns a number to claim. */
    int free() {
        return IntStream.range(0, LIMIT)
                .filter(number -> !numbers.containsValue(number))
                .findFirst()
                .orElse(numbers.size() % LIMIT);
    }
}
