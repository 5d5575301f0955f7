package dev.silkroute.app.mock;

import dev.silkroute.app.console.Progress;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;

/** Shows the progress of a load: the table dumps, then the changes, and the dumps again when sessions restart. */
final class LoadProgress implements AutoCloseable {
    private final PrintWriter err;
    private final long routes;
    private final long changes;
    private boolean changing;
    private @Nullable Progress progress;

    /**
     * @param routes the routes in all tables
     * @param changes the changes of all routers, 0 if there are none
     */
    LoadProgress(PrintWriter err, long routes, long changes) {
        this.err = err;
        this.routes = routes;
        this.changes = changes;
    }

    void update(LoadRun run) {
        long dumped = run.dumped();
        boolean isChanging = dumped == routes && changes > 0;
        if (progress == null || isChanging != changing) {
            if (progress != null && isChanging) {
                progress.update(routes);
            }
            close();
            changing = isChanging;
            progress = isChanging
                    ? new Progress(err, "changes", new Progress.Unit("changes", 1), changes)
                    : new Progress(err, "tables", new Progress.Unit("routes", 1), routes);
        }
        progress.update(isChanging ? run.changes() : dumped);
    }

    @Override
    public void close() {
        if (progress != null) {
            progress.close();
            progress = null;
        }
    }
}
