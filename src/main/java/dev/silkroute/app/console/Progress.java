package dev.silkroute.app.console;

import java.io.PrintWriter;
import java.text.DecimalFormat;
import java.time.Duration;
import java.util.Locale;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import org.jspecify.annotations.Nullable;

/** Shows how far something is: a bar with rate and time left on a terminal, else a plain line every few seconds. */
public final class Progress implements AutoCloseable {
    private static final double LINE_SECONDS = 5;
    private static final int BAR_INTERVAL_MILLIS = 200;

    /**
     * What is counted.
     *
     * @param size what is shown as one
     */
    public record Unit(String name, long size) {
        public static Unit bytes(long total) {
            return total >= 1 << 20 ? new Unit("MiB", 1 << 20) : new Unit("KiB", 1 << 10);
        }

        public String text(double amount) {
            return String.format(Locale.ROOT, size == 1 ? "%,.0f" : "%,.1f", amount / size);
        }
    }

    private final PrintWriter err;
    private final String task;
    private final Unit unit;
    private final long total;
    private final @Nullable ProgressBar bar;
    private final long started = System.nanoTime();
    private double nextLine = LINE_SECONDS;

    public Progress(PrintWriter err, String task, Unit unit, long total) {
        this.err = err;
        this.task = task;
        this.unit = unit;
        this.total = total;
        bar = Terminal.onStandardError() ? bar() : null;
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

    /** Called often; shows what there is to show by now. */
    public void update(long done) {
        double seconds = (System.nanoTime() - started) / 1e9;
        if (bar != null) {
            bar.stepTo(done);
        } else if (done < total && seconds >= nextLine) {
            nextLine = seconds + LINE_SECONDS;
            err.println(line(task, unit, done, total, seconds));
            err.flush();
        }
    }

    public static String line(String task, Unit unit, long done, long total, double seconds) {
        double rate = done / Math.max(seconds, 0.001);
        return String.format(
                Locale.ROOT,
                "%s: %s of %s %s (%d %%), %s %s/s, %s",
                task,
                unit.text(done),
                unit.text(total),
                unit.name(),
                total == 0 ? 100 : done * 100 / total,
                unit.text(rate),
                unit.name(),
                rate > 0 ? text(Duration.ofSeconds((long) ((total - done) / rate))) + " left" : "waiting");
    }

    private static String text(Duration duration) {
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
