package dev.silkroute.perf.rib;

import dev.silkroute.route.RouteBatch;

/** Takes the place of a table, so that the previous one can be garbage collected. */
final class NoStore implements Store {
    private static UnsupportedOperationException none() {
        return new UnsupportedOperationException("no table");
    }

    @Override
    public Feed feed(Workload work, String routes, boolean read) {
        throw none();
    }

    @Override
    public void apply(RouteBatch batch) {
        throw none();
    }

    @Override
    public Reader reader() {
        throw none();
    }

    @Override
    public long routes() {
        return 0;
    }

    @Override
    public Flushed flush(int peer) {
        throw none();
    }

    @Override
    public long reserved() {
        return 0;
    }
}
