package dev.silkroute.component.nettyff;

import io.netty.buffer.ByteBufAllocator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Bytes accepted and not yet written, and the account of all messages. Senders copy in under one lock, a {@link Line} takes
 * out on its event loop; the lock is never held over a write. Thread-safe.
 */
final class Outbox {
    private final int flushBytes;
    private final long lingerNanos;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition settled = lock.newCondition();
    private final Account account = new Account();
    private final ChunkQueue chunks;
    private final Tie tie;
    private final Room room;

    /** How many ask for everything to be written at once. */
    private int hurry;

    /** @param connect asks for a connection and returns at once; {@link #connected} or {@link #lost} is to follow */
    Outbox(NettyFfConfiguration configuration, ByteBufAllocator allocator, Runnable connect) {
        flushBytes = configuration.getFlushBytes();
        lingerNanos = TimeUnit.MICROSECONDS.toNanos(configuration.getLingerMicros());
        chunks = new ChunkQueue(this, allocator, configuration.getBufferSize());
        tie = new Tie(connect, account);
        room = new Room(lock, configuration);
    }

    /**
     * Copies one message in.
     *
     * @param count messages that it is, when it is several back to back
     */
    void send(Object message, int count) throws SendRefusedException {
        boolean accepted = false;
        lock.lock();
        try {
            admit(message, count, 0);
            accepted = true;
        } finally {
            account.refused += accepted ? 0 : count;
            lock.unlock();
        }
    }

    /** Copies messages in, in order. With {@link Overflow#FAIL} all or none. */
    void sendAll(List<?> messages) throws SendRefusedException {
        int count = messages.size();
        int done = 0;
        lock.lock();
        try {
            long size = Payload.size(messages);
            tie.requireOpen(0);
            tie.connectIfIdle();
            if (room.has(size, account.pendingBytes)) {
                while (done < count) {
                    done = acceptRun(messages, done);
                    if (done < count) {
                        accept(messages.get(done++), 1);
                    }
                }
                wake();
                return;
            }
            if (room.overflow() == Overflow.FAIL) {
                throw room.full(size, 0);
            }
            int losses = account.losses;
            for (; done < count; done++) {
                tie.requireSame(losses, done);
                admit(messages.get(done), 1, done);
            }
        } finally {
            account.refused += count - done;
            lock.unlock();
        }
    }

    private void admit(Object message, int count, int before) throws SendRefusedException {
        int size = Payload.size(message);
        tie.requireOpen(before);
        tie.connectIfIdle();
        if (!room.has(size, account.pendingBytes)) {
            switch (room.overflow()) {
                case DROP -> {
                    account.accepted += count;
                    account.dropped += count;
                    return;
                }
                case FAIL -> throw room.full(size, before);
                case BLOCK -> awaitRoom(size, before);
            }
        }
        accept(message, count);
        wake();
    }

    private int acceptRun(List<?> messages, int from) {
        int before = chunks.bytes();
        int to = chunks.appendRun(messages, from);
        account.accepted(to - from, chunks.bytes() - before);
        return to;
    }

    private void accept(Object message, int count) {
        int size = Payload.size(message);
        if (size == 0) {
            account.accepted += count;
            account.written += count;
        } else {
            chunks.append(message, size, count);
            account.accepted(count, size);
        }
    }

    private void awaitRoom(int size, int before) throws SendRefusedException {
        int losses = account.losses;
        hurry++;
        wake();
        long start = System.nanoTime();
        try {
            room.await(size, before, () -> {
                tie.requireSame(losses, before);
                tie.requireOpen(before);
                return account.pendingBytes;
            });
        } finally {
            hurry--;
            account.blockedNanos += System.nanoTime() - start;
        }
    }

    /** Whether what is queued has to wait no longer. */
    private boolean due() {
        return chunks.bytes() >= flushBytes || lingerNanos == 0 || hurry > 0;
    }

    /** Sees to it that what is queued gets out in time. Where all places under way are taken, {@link #written} does. */
    private void wake() {
        Line to = tie.line();
        if (to == null || !chunks.canTake()) {
            return;
        }
        if (due()) {
            to.drainSoon();
        } else {
            to.drainAfter(lingerNanos);
        }
    }

    /** On the event loop: whether bytes are old enough to be written; else the timer runs for those that are there. */
    boolean lingerOver(Line from) {
        lock.lock();
        try {
            from.armed = false;
            if (from != tie.line() || chunks.isEmpty()) {
                return false;
            }
            long left = lingerNanos - (System.nanoTime() - chunks.oldestNanos());
            if (left > 0) {
                from.drainAfter(left);
            }
            return left <= 0;
        } finally {
            lock.unlock();
        }
    }

    /**
     * On the event loop: settles what has been written and hands over what is to be written next.
     *
     * @param all hand over also what could wait longer
     */
    void turn(Line to, List<Chunk> written, List<Chunk> next, boolean all) {
        lock.lock();
        try {
            for (int i = 0; i < written.size(); i++) {
                settle(written.get(i));
            }
            written.clear();
            if (to != tie.line()) {
                return;
            }
            if (all) {
                to.draining = false;
            }
            if (all || due()) {
                take(next);
            } else {
                wake();
            }
        } finally {
            lock.unlock();
        }
    }

    private void take(List<Chunk> next) {
        chunks.take(next);
        if (!next.isEmpty()) {
            account.flushes++;
        }
    }

    private void settle(Chunk chunk) {
        if (!chunks.settle(chunk)) {
            return;
        }
        account.written(chunk);
        room.signal(account.pendingBytes);
        if (account.pending == 0) {
            settled.signalAll();
        }
    }

    /** On the event loop: the kernel has a chunk, after it had no room for it at first. */
    void written(Chunk chunk) {
        lock.lock();
        try {
            settle(chunk);
            wake();
        } finally {
            lock.unlock();
        }
    }

    void broken(Throwable cause) {
        lock.lock();
        try {
            Line broken = tie.line();
            if (broken != null) {
                broken.broken(cause);
            }
        } finally {
            lock.unlock();
        }
    }

    /** From now on messages are accepted; a connection is made when the first comes. */
    void start() {
        lock.lock();
        try {
            tie.start();
        } finally {
            lock.unlock();
        }
    }

    /** A connection is about to be made without a message: whether it still may. */
    boolean connecting() {
        lock.lock();
        try {
            return tie.connecting();
        } finally {
            lock.unlock();
        }
    }

    /** On the event loop: what is queued goes out on this; not if nobody waits for a connection any more. */
    boolean connected(Line to) {
        lock.lock();
        try {
            if (!tie.connected(to)) {
                return false;
            }
            wake();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Settles the account of a connection that ended, or, without a line, of one that could not be made. What was not
     * written has failed.
     *
     * @return null if that has been done before
     */
    @Nullable
    Loss lost(@Nullable Line from, Throwable cause) {
        lock.lock();
        try {
            if (!tie.loses(from)) {
                return null;
            }
            Loss loss = settle(cause);
            tie.lost(from != null || loss.messages() > 0, cause);
            tie.down(cause);
            return loss;
        } finally {
            lock.unlock();
        }
    }

    private Loss settle(Throwable cause) {
        Loss loss = chunks.clear(account, cause);
        room.signalAll();
        settled.signalAll();
        return loss;
    }

    /** Waits until all that was accepted so far and since is written or lost; whether all is, in time. */
    boolean drain(long nanos) throws InterruptedException {
        lock.lock();
        try {
            hurry++;
            wake();
            long left = nanos;
            while (account.pending > 0 && left > 0) {
                left = settled.awaitNanos(left);
            }
            return account.pending == 0;
        } finally {
            hurry--;
            lock.unlock();
        }
    }

    /** Refuses all that comes from now on, also from those who wait. What is accepted stays on its way. */
    void stop() {
        lock.lock();
        try {
            tie.stop();
            room.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Gives the connection up: what is left has failed. A later message begins a new one. */
    Loss abandon(Throwable cause) {
        lock.lock();
        try {
            tie.lost(tie.line() != null || account.pending > 0, cause);
            return settle(cause);
        } finally {
            lock.unlock();
        }
    }

    boolean stopped() {
        lock.lock();
        try {
            return tie.stopped();
        } finally {
            lock.unlock();
        }
    }

    /** Senders that wait for room. */
    int waiting() {
        lock.lock();
        try {
            return room.waiting();
        } finally {
            lock.unlock();
        }
    }

    NettyFfStatistics statistics() {
        lock.lock();
        try {
            return account.statistics();
        } finally {
            lock.unlock();
        }
    }
}
