package dev.silkroute.app.redecode;

import dev.silkroute.app.console.Interruption;
import dev.silkroute.app.console.Progress;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import org.jspecify.annotations.Nullable;

/** Shows the progress of each pass of a redecode run on standard error. */
final class RedecodeProgressBar implements RedecodeProgress, AutoCloseable {
    private static final Progress.Unit RECORDS = new Progress.Unit("records", 1);

    private final PrintWriter err = new PrintWriter(System.err, true, Charset.defaultCharset());
    private final Interruption interruption;
    private @Nullable Progress progress;

    RedecodeProgressBar(Interruption interruption) {
        this.interruption = interruption;
    }

    @Override
    public void begin(String pass, long records) {
        close();
        progress = new Progress(err, pass, RECORDS, records);
    }

    @Override
    public void read(long records) {
        if (progress != null) {
            progress.update(records);
        }
    }

    @Override
    public boolean isInterrupted() {
        return interruption.isRequested();
    }

    @Override
    public void close() {
        if (progress != null) {
            progress.close();
            progress = null;
        }
    }
}
