package dev.silkroute.app.console;

import java.io.PrintWriter;
import java.text.DecimalFormat;
import java.time.Duration;
import java.util.Locale;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Shows the progress of a task on standard error: on a terminal as a bar with rate and time left, otherwise as a plain
 * line every {@value #LINE_SECONDS} seconds.
 */
public final class Progress implements AutoCloseable {
    private static final double LINE_SECONDS = 5;
    private static final int BAR_INTERVAL_MILLIS = 200;

    /**
     * The unit in which progress is displayed.
     *
     * @param size how many counted items make one unit
     */
    public record Unit(String name, long size) {
        /** Returns the unit that suits a total number of bytes. */
        public static Unit bytes(long total) {
            return total >= 1 << 20 ? new Unit("MiB", 1 << 20) : new Unit("KiB", 1 << 10);
        }

        private String format(double amount) {
            return String.format(Locale.ROOT, size == 1 ? "%,.0f" : "%,.1f", amount / size);
        }
    }

    private final PrintWriter err;
    private final String task;
    private final Unit unit;
    private final long total;
    private final @Nullable ProgressBar bar;
    private final long startNanos = System.nanoTime();
    private double nextLine = LINE_SECONDS;

    public Progress(PrintWriter err, String task, Unit unit, long total) {
        this.err = err;
        this.task = task;
        this.unit = unit;
        this.total = total;
        bar = Terminal.isStandardError() ? bar() : null;
    }

    private ProgressBar bar() {
        return new ProgressBarBuilder()
                .setTaskName(task)
                .setInitialMax(total)
                .setUnit(" " + unit.name(), unit.size())
                .showSpeed(new DecimalFormat(unit.size() == 1 ? "#,##0" : "0.0"))
                .setUpdateIntervalMillis(BAR_INTERVAL_MILLIS)
                .setConsumer(new ConsoleProgressBarConsumer(System.err))
                .build();
    }

    /** Sets how much is done. Call this several times a second; the display is updated only as often as needed. */
    public void update(long done) {
        double seconds = (System.nanoTime() - startNanos) / 1e9;
        if (bar != null) {
            bar.stepTo(done);
        } else if (done < total && seconds >= nextLine) {
            nextLine = seconds + LINE_SECONDS;
            err.println(line(task, unit, done, total, seconds));
            err.flush();
        }
    }

    static String line(String task, Unit unit, long done, long total, double seconds) {
        double rate = done / Math.max(seconds, 0.001);
        return String.format(
                Locale.ROOT,
                "%s: %s of %s %s (%d %%), %s %s/s, %s left",
                task,
                unit.format(done),
                unit.format(total),
                unit.name(),
                total == 0 ? 100 : done * 100 / total,
                unit.format(rate),
                unit.name(),
                rate > 0 ? clock(Duration.ofSeconds((long) ((total - done) / rate))) : "unknown time");
    }

    private static String clock(Duration duration) {
        return String.format(
                Locale.ROOT, "%d:%02d:%02d", duration.toHours(), duration.toMinutesPart(), duration.toSecondsPart());
    }

    @Override
    public void close() {
        if (bar != null) {
            bar.close();
        }
    }
}
