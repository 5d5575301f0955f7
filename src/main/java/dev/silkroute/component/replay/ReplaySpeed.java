package dev.silkroute.component.replay;

import java.util.regex.Pattern;

/**
 * How fast a capture is replayed.
 *
 * @param factor times the speed at which it was captured; 0 for as fast as the route takes it
 */
public record ReplaySpeed(double factor) {
    public static final ReplaySpeed MAX = new ReplaySpeed(0);

    private static final Pattern TIMES = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,9})?)x");

    /** Reads {@code max}, {@code original}, or a factor such as {@code 10x} or {@code 0.5x}. */
    public static ReplaySpeed parse(String text) {
        return switch (text) {
            case "max" -> MAX;
            case "original" -> new ReplaySpeed(1);
            default -> {
                var times = TIMES.matcher(text);
                double factor = times.matches() ? Double.parseDouble(times.group(1)) : 0;
                if (factor == 0) {
                    throw new IllegalArgumentException(
                            "speed '" + text + "' is none of max, original, or a factor such as 10x");
                }
                yield new ReplaySpeed(factor);
            }
        };
    }

    public boolean timed() {
        return factor > 0;
    }

    /** Nanoseconds after the start at which something is due that was captured so many after the first byte. */
    public long dueNanos(long capturedNanos) {
        return timed() ? (long) (capturedNanos / factor) : 0;
    }
}
