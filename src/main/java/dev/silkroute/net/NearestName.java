package dev.silkroute.net;

import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;

/** Finds the known name that an unknown one was probably meant to be. */
public final class NearestName {
    private static final int DELETION = 3;

    private NearestName() {}

    /**
     * Returns the name that takes the fewest edits; the first of several.
     *
     * @param names at least one
     */
    public static String of(String unknown, Collection<String> names) {
        return names.stream()
                .min(Comparator.comparingInt(known -> distance(unknown, known)))
                .orElseThrow();
    }

    /**
     * Returns the cost of editing one name into another. An insertion costs a third of a deletion, because a part of a
     * name that is left out is more likely than one too many.
     */
    private static int distance(String from, String to) {
        int[] previous = new int[to.length() + 1];
        Arrays.setAll(previous, i -> i);
        for (int i = 1; i <= from.length(); i++) {
            int[] row = new int[to.length() + 1];
            row[0] = DELETION * i;
            for (int j = 1; j <= to.length(); j++) {
                int replaced = previous[j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : DELETION);
                row[j] = Math.min(replaced, Math.min(previous[j] + DELETION, row[j - 1] + 1));
            }
            previous = row;
        }
        return previous[to.length()];
    }
}
