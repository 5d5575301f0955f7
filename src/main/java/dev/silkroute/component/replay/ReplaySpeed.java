package dev.silkroute.component.replay;

import java.util.regex.Pattern;

/**
 * The speed of a replay.
 *
 * @param factor relative to the speed at which the session was captured; 0 for as fast as the route allows
 */
public record ReplaySpeed(double factor) {
    public static final ReplaySpeed MAX = new ReplaySpeed(0);

    private static final Pattern TIMES = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,9})?)x");

    /** Parses {@code max}, {@code original}, or a factor such as {@code 10x} or {@code 0.5x}. */
    public static ReplaySpeed parse(String text) {
        return switch (text) {
            case "max" -> MAX;
            case "original" -> new ReplaySpeed(1);
            default -> {
                var times = TIMES.matcher(text);
                double factor = times.matches() ? Double.parseDouble(times.group(1)) : 0;
                if (factor == 0) {
                    throw new IllegalArgumentException(
                            "speed '" + text + "' is not max, original or a factor such as 10x");
                }
                yield new ReplaySpeed(factor);
            }
        };
    }

    /** Returns whether the replay follows the times of the capture. */
    public boolean timed() {
        return factor > 0;
    }

    /** Converts nanoseconds after the first captured byte to nanoseconds after the start of the replay. */
    public long dueNanos(long capturedNanos) {
        return timed() ? (long) (capturedNanos / factor) : 0;
    }
}
