package dev.silkroute.app.cli;

import java.io.PrintWriter;
import java.text.DecimalFormat;
import java.time.Duration;
import java.util.Locale;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import org.jspecify.annotations.Nullable;

/** Shows how far a replay is: a bar on a terminal, else a plain line every few seconds. */
final class ReplayProgress implements AutoCloseable {
    private static final long LINE_SECONDS = 5;
    private static final long MEBIBYTE = 1 << 20;
    private static final long KIBIBYTE = 1 << 10;
    private static final int BAR_INTERVAL_MILLIS = 200;

    private final PrintWriter err;
    private final long total;
    private final ReplayTally tally;
    private final @Nullable ProgressBar bar;
    private double nextLine = LINE_SECONDS;

    private ReplayProgress(PrintWriter err, long total, ReplayTally tally, @Nullable ProgressBar bar) {
        this.err = err;
        this.total = total;
        this.tally = tally;
        this.bar = bar;
    }

    static ReplayProgress on(PrintWriter err, long total, ReplayTally tally) {
        return new ReplayProgress(err, total, tally, Terminal.onStandardError() ? bar(total) : null);
    }

    private static ProgressBar bar(long total) {
        boolean large = total >= MEBIBYTE;
        return new ProgressBarBuilder()
                .setTaskName("replay")
                .setInitialMax(total)
                .setUnit(large ? " MiB" : " KiB", large ? MEBIBYTE : KIBIBYTE)
                .showSpeed(new DecimalFormat("0.0"))
                .setUpdateIntervalMillis(BAR_INTERVAL_MILLIS)
                .setConsumer(new ConsoleProgressBarConsumer(System.err))
                .build();
    }

    /** Called often; shows what there is to show by now. */
    void update(boolean done) {
        if (bar != null) {
            bar.stepTo(tally.bytes());
        } else if (!done && tally.seconds() >= nextLine) {
            nextLine = tally.seconds() + LINE_SECONDS;
            err.println(line(tally.bytes(), total, tally.seconds()));
            err.flush();
        }
    }

    static String line(long bytes, long total, double seconds) {
        double rate = bytes / Math.max(seconds, 0.001);
        String left = rate > 0 ? text(Duration.ofSeconds((long) ((total - bytes) / rate))) + " left" : "waiting";
        return String.format(
                Locale.ROOT,
                "replay: %.1f of %.1f MiB (%d %%), %.1f MiB/s, %s",
                bytes / (double) MEBIBYTE,
                total / (double) MEBIBYTE,
                total == 0 ? 100 : bytes * 100 / total,
                rate / MEBIBYTE,
                left);
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
