package dev.silkroute.component.nettyff;

import io.netty.buffer.ByteBufAllocator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Accepted bytes that are not written yet, and the counters of all messages. Thread-safe.
 *
 * <p><b>Flow.</b> A sender's thread copies its message into the last chunk of the {@link ChunkQueue} and returns: the
 * message is accepted. Once {@code flushBytes} are queued, or {@code lingerMicros} after the first byte, a
 * {@link DrainScheduler} makes the {@link Connection} run on its event loop. That calls {@link #exchange}, which
 * settles the chunks written before and hands out the next ones, at most two in flight. When the connection ends,
 * {@link #lost} discards everything that is pending: nothing is carried over to the next connection.
 *
 * <p><b>Accounting.</b> Whenever the lock is free, {@code accepted = written + failed + dropped + pending}, in
 * messages. Each accepted message leaves {@code pending} exactly once: to {@code written} when the write of the chunk
 * with its last byte succeeds, or to {@code failed} when its connection ends first. {@code dropped} messages (with
 * {@link Overflow#DROP}) were never pending. {@code rejected} messages were not accepted; their exchange has failed.
 *
 * <p><b>Threading.</b> One lock guards this object and its parts ({@link ChunkQueue}, {@link ConnectionState},
 * {@link PendingLimit}, {@link SendCounters}, {@link DrainScheduler}). It is never held during a write. Senders may
 * wait for space on the lock's conditions; event loops never wait.
 */
final class SendBuffer {
    private final int flushBytes;
    private final long lingerNanos;
    private final LongSupplier clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition settled = lock.newCondition();
    private final SendCounters counters = new SendCounters();
    private final ChunkQueue chunks;
    private final ConnectionState state;
    private final PendingLimit limit;

    /**
     * The number of threads that wait until queued bytes are written, for space or in {@link #drain}: nothing lingers
     * meanwhile.
     */
    private int urgentWaiters;

    /**
     * @param connect starts a connection attempt and returns at once; a call of {@link #connected} or {@link #lost}
     * must follow
     */
    SendBuffer(NettyFfConfiguration configuration, ByteBufAllocator allocator, Runnable connect) {
        this(configuration, allocator, connect, System::nanoTime);
    }

    /** @param clock in nanoseconds, as {@link System#nanoTime} */
    SendBuffer(NettyFfConfiguration configuration, ByteBufAllocator allocator, Runnable connect, LongSupplier clock) {
        this.clock = clock;
        flushBytes = configuration.getFlushBytes();
        lingerNanos = TimeUnit.MICROSECONDS.toNanos(configuration.getLingerMicros());
        chunks = new ChunkQueue(allocator, configuration.getBufferSize(), clock);
        state = new ConnectionState(connect, counters);
        limit = new PendingLimit(lock, configuration);
    }

    /**
     * Accepts a body.
     *
     * @param message a {@code byte[]} or {@link io.netty.buffer.ByteBuf}
     * @param count the number of messages that it contains back to back
     */
    void send(Object message, int count) throws SendRejectedException {
        boolean accepted = false;
        lock.lock();
        try {
            admit(message, count, 0);
            accepted = true;
        } finally {
            counters.rejected += accepted ? 0 : count;
            lock.unlock();
        }
    }

    /** Accepts messages in order. With {@link Overflow#FAIL} either all are accepted or none. */
    void sendAll(List<?> messages) throws SendRejectedException {
        int count = messages.size();
        int done = 0;
        lock.lock();
        try {
            long size = Payload.size(messages);
            state.requireOpen(0);
            state.connectIfIdle();
            if (limit.hasSpace(size, counters.pendingBytes)) {
                while (done < count) {
                    done = acceptRun(messages, done);
                    if (done < count) {
                        accept(messages.get(done++), 1);
                    }
                }
                scheduleDrain();
                return;
            }
            if (limit.overflow() == Overflow.FAIL) {
                throw limit.exceeded(size, 0);
            }
            int losses = counters.losses;
            for (; done < count; done++) {
                state.requireSameConnection(losses, done);
                admit(messages.get(done), 1, done);
            }
        } finally {
            counters.rejected += count - done;
            lock.unlock();
        }
    }

    private void admit(Object message, int count, int acceptedBefore) throws SendRejectedException {
        int size = Payload.size(message);
        state.requireOpen(acceptedBefore);
        state.connectIfIdle();
        if (!limit.hasSpace(size, counters.pendingBytes)) {
            switch (limit.overflow()) {
                case DROP -> {
                    counters.accepted += count;
                    counters.dropped += count;
                    return;
                }
                case FAIL -> throw limit.exceeded(size, acceptedBefore);
                case BLOCK -> awaitSpace(size, acceptedBefore);
            }
        }
        accept(message, count);
        scheduleDrain();
    }

    private int acceptRun(List<?> messages, int from) {
        int bytesBefore = chunks.bytes();
        int to = chunks.appendRun(messages, from);
        counters.accepted(to - from, chunks.bytes() - bytesBefore);
        return to;
    }

    private void accept(Object message, int count) {
        int size = Payload.size(message);
        if (size == 0) {
            counters.accepted += count;
            counters.written += count;
        } else {
            chunks.append(message, size, count);
            counters.accepted(count, size);
        }
    }

    private void awaitSpace(int size, int acceptedBefore) throws SendRejectedException {
        int losses = counters.losses;
        urgentWaiters++;
        scheduleDrain();
        long start = clock.getAsLong();
        try {
            limit.await(size, acceptedBefore, () -> {
                state.requireSameConnection(losses, acceptedBefore);
                state.requireOpen(acceptedBefore);
                return counters.pendingBytes;
            });
        } finally {
            urgentWaiters--;
            counters.blockedNanos += clock.getAsLong() - start;
        }
    }

    /** Returns whether the queued bytes should be written without lingering. */
    private boolean isDue() {
        return chunks.bytes() >= flushBytes || lingerNanos == 0 || urgentWaiters > 0;
    }

    /** Schedules a drain of the queued bytes. If the maximum is in flight, {@link #written} does so later. */
    private void scheduleDrain() {
        DrainScheduler connection = state.current();
        if (connection == null || !chunks.canTake()) {
            return;
        }
        if (isDue()) {
            connection.drainNow();
        } else {
            connection.drainAfter(lingerNanos);
        }
    }

    /**
     * Called on the event loop when the linger timer elapses. Returns whether the queued bytes are old enough to be
     * written; otherwise restarts the timer for them.
     */
    boolean lingerElapsed(DrainScheduler connection) {
        lock.lock();
        try {
            connection.timerElapsed();
            if (connection != state.current() || chunks.isEmpty()) {
                return false;
            }
            long left = lingerNanos - (clock.getAsLong() - chunks.oldestNanos());
            if (left > 0) {
                connection.drainAfter(left);
            }
            return left <= 0;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Settles written chunks and hands out the next ones. Called on the event loop.
     *
     * @param written cleared
     * @param next receives the chunks to write
     * @param all whether to hand out bytes that could linger, too
     */
    void exchange(DrainScheduler connection, List<Chunk> written, List<Chunk> next, boolean all) {
        lock.lock();
        try {
            for (int i = 0; i < written.size(); i++) {
                settle(written.get(i));
            }
            written.clear();
            if (connection != state.current()) {
                return;
            }
            if (all) {
                connection.drainStarted();
            }
            if (all || isDue()) {
                take(next);
            } else {
                scheduleDrain();
            }
        } finally {
            lock.unlock();
        }
    }

    private void take(List<Chunk> next) {
        chunks.take(next);
        if (!next.isEmpty()) {
            counters.flushes++;
        }
    }

    private void settle(Chunk chunk) {
        if (!chunks.settle(chunk)) {
            return;
        }
        counters.written(chunk);
        limit.signal(counters.pendingBytes);
        if (counters.pending == 0) {
            settled.signalAll();
        }
    }

    /** Settles one chunk whose write did not complete at once. Called on the event loop. */
    void written(Chunk chunk) {
        lock.lock();
        try {
            settle(chunk);
            scheduleDrain();
        } finally {
            lock.unlock();
        }
    }

    /** Starts to accept messages. The first one triggers a connection attempt. */
    void start() {
        lock.lock();
        try {
            state.start();
        } finally {
            lock.unlock();
        }
    }

    /** Reserves a connection attempt that no message triggered. Returns false if no connection is wanted. */
    boolean beginConnecting() {
        lock.lock();
        try {
            return state.beginConnecting();
        } finally {
            lock.unlock();
        }
    }

    /** Uses a new connection. Returns false if the attempt was abandoned meanwhile. Called on the event loop. */
    boolean connected(DrainScheduler connection) {
        lock.lock();
        try {
            if (!state.connected(connection)) {
                return false;
            }
            scheduleDrain();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Counts everything that is not written as failed, after a connection ended.
     *
     * @param connection null if the connection could not be established
     * @return null if this was done before
     */
    @Nullable
    LostMessages lost(@Nullable DrainScheduler connection, Throwable cause) {
        lock.lock();
        try {
            if (!state.isCurrent(connection)) {
                return null;
            }
            LostMessages lost = failPending(cause);
            state.lost(connection != null || lost.messages() > 0, cause);
            return lost;
        } finally {
            lock.unlock();
        }
    }

    private LostMessages failPending(Throwable cause) {
        LostMessages lost = chunks.clear(counters, cause);
        limit.signalAll();
        settled.signalAll();
        return lost;
    }

    /** Waits until nothing is pending, including what is accepted meanwhile. Returns false on timeout. */
    boolean drain(long nanos) throws InterruptedException {
        lock.lock();
        try {
            urgentWaiters++;
            scheduleDrain();
            long left = nanos;
            while (counters.pending > 0 && left > 0) {
                left = settled.awaitNanos(left);
            }
            return counters.pending == 0;
        } finally {
            urgentWaiters--;
            lock.unlock();
        }
    }

    /** Rejects new messages and waiting senders. Messages accepted before stay pending. */
    void stop() {
        lock.lock();
        try {
            state.stop();
            limit.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Detaches the connection and counts everything pending as failed. A later message triggers a new connection
     * attempt.
     */
    LostMessages abandon(Throwable cause) {
        lock.lock();
        try {
            state.abandon(state.current() != null || counters.pending > 0, cause);
            return failPending(cause);
        } finally {
            lock.unlock();
        }
    }

    boolean isStopped() {
        lock.lock();
        try {
            return state.isStopped();
        } finally {
            lock.unlock();
        }
    }

    /** Returns the number of senders that wait for space. */
    int waiting() {
        lock.lock();
        try {
            return limit.waiting();
        } finally {
            lock.unlock();
        }
    }

    NettyFfStatistics statistics() {
        lock.lock();
        try {
            return counters.statistics();
        } finally {
            lock.unlock();
        }
    }
}
