package dev.silkroute.app.mock;

import dev.silkroute.app.console.Progress;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;

/** Shows how far a load is: the tables, then the changes; the tables again where sessions are begun anew. */
final class LoadProgress implements AutoCloseable {
    private final PrintWriter err;
    private final long routes;
    private final long changes;
    private boolean changing;
    private @Nullable Progress progress;

    /**
     * @param routes of all tables
     * @param changes of all routers, 0 for none
     */
    LoadProgress(PrintWriter err, long routes, long changes) {
        this.err = err;
        this.routes = routes;
        this.changes = changes;
    }

    void update(LoadRun run) {
        long shown = run.shown();
        boolean now = shown == routes && changes > 0;
        if (progress == null || now != changing) {
            if (progress != null && now) {
                progress.update(routes);
            }
            close();
            changing = now;
            progress = now
                    ? new Progress(err, "changes", new Progress.Unit("changes", 1), changes)
                    : new Progress(err, "tables", new Progress.Unit("routes", 1), routes);
        }
        progress.update(now ? run.changed() : shown);
    }

    @Override
    public void close() {
        if (progress != null) {
            progress.close();
            progress = null;
        }
    }
}
