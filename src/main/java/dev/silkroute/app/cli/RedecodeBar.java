package dev.silkroute.app.cli;

import dev.silkroute.app.redecode.RedecodeProgress;
import java.io.PrintStream;
import java.util.Locale;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import org.jspecify.annotations.Nullable;

/** Shows how far a redecoding is, one pass after the other: a bar on a terminal, else a plain line every few seconds. */
final class RedecodeBar implements RedecodeProgress, AutoCloseable {
    private static final long LINE_NANOS = 5_000_000_000L;
    private static final int BAR_INTERVAL_MILLIS = 200;

    private final PrintStream err;
    private final Interruption interruption;
    private final boolean terminal;
    private String pass = "";
    private long total;
    private long lastLine;
    private @Nullable ProgressBar bar;

    private RedecodeBar(PrintStream err, Interruption interruption, boolean terminal) {
        this.err = err;
        this.interruption = interruption;
        this.terminal = terminal;
    }

    static RedecodeBar on(PrintStream err, Interruption interruption) {
        return new RedecodeBar(err, interruption, Terminal.onStandardError());
    }

    @Override
    public void begin(String newPass, long records) {
        close();
        pass = newPass;
        total = records;
        lastLine = System.nanoTime();
        if (terminal) {
            bar = new ProgressBarBuilder()
                    .setTaskName(newPass)
                    .setInitialMax(records)
                    .setUnit(" records", 1)
                    .setUpdateIntervalMillis(BAR_INTERVAL_MILLIS)
                    .setConsumer(new ConsoleProgressBarConsumer(err))
                    .build();
        }
    }

    @Override
    public void read(long records) {
        if (bar != null) {
            bar.stepTo(records);
        } else if (!terminal && System.nanoTime() - lastLine > LINE_NANOS) {
            lastLine = System.nanoTime();
            err.println(line(pass, records, total));
        }
    }

    static String line(String pass, long records, long total) {
        return String.format(
                Locale.ROOT,
                "%s: %,d of %,d records of bmp.raw (%d %%)",
                pass,
                records,
                total,
                total == 0 ? 100 : records * 100 / total);
    }

    @Override
    public boolean interrupted() {
        return interruption.happened();
    }

    @Override
    public void close() {
        if (bar != null) {
            bar.close();
            bar = null;
        }
    }
}
