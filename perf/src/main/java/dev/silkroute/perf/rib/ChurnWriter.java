package dev.silkroute.perf.rib;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Applies the same updates repeatedly, as fast as possible, until it is stopped. */
final class ChurnWriter extends Thread {
    private static final VarHandle UPDATES;

    static {
        try {
            UPDATES = MethodHandles.lookup().findVarHandle(ChurnWriter.class, "updates", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Store.Feed feed;
    private volatile boolean ended;

    @SuppressWarnings("unused") // by the handle
    private long updates;

    private long allocated;

    ChurnWriter(Store.Feed feed) {
        super("writer");
        this.feed = feed;
        setDaemon(true);
    }

    @Override
    public void run() {
        long before = Memory.allocatedByThisThread();
        long count = 0;
        for (int i = 0; !ended; i = i + 1 == feed.portions() ? 0 : i + 1) {
            count += feed.apply(i);
            UPDATES.setOpaque(this, count);
        }
        allocated = Memory.allocatedByThisThread() - before;
    }

    long updates() {
        return (long) UPDATES.getOpaque(this);
    }

    /** @return the bytes it has allocated */
    long end() throws InterruptedException {
        ended = true;
        join();
        return allocated;
    }
}
