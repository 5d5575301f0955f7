package dev.silkroute.component.nettyff;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Bytes accepted and not yet written, and the account of all messages. Senders copy in under one lock, a {@link Line} takes
 * out on its event loop; the lock is never held over a write. Thread-safe.
 *
 * <p>Messages lie back to back in chunks, also across two, so that memory is {@code maxPendingBytes} and at most one buffer
 * for each chunk that is under way or being filled. A message's fate is that of the chunk with its last byte.
 *
 * <p>A connection is a session of the peer's: what belonged to an ended one is counted as failed and never sent on the next,
 * and nothing is accepted for the next before some exchange has failed and so told its sender ({@link #owed}).
 */
final class Outbox {
    /** One chunk in the socket, one ready for it: more would only spread few bytes over many buffers. */
    static final int MOST_UNDER_WAY = 2;

    private final ByteBufAllocator allocator;
    private final int bufferSize;
    private final int flushBytes;
    private final long lingerNanos;
    private final Room room;
    private final Runnable connect;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition settled = lock.newCondition();
    private final ArrayDeque<Chunk> queue = new ArrayDeque<>();
    private final ArrayDeque<Chunk> underWay = new ArrayDeque<>(MOST_UNDER_WAY);
    private final Account account = new Account();

    private int queuedBytes;
    private long oldestNanos;
    private @Nullable Line line;
    private boolean connecting;
    private boolean stopped = true;
    /** How many ask for everything to be written at once. */
    private int hurry;
    /** Why there is no connection and none is being made. */
    private @Nullable Throwable down;
    /** A loss that no sender knows of yet. */
    private @Nullable Throwable owed;

    /** @param connect asks for a connection and returns at once; {@link #connected} or {@link #lost} is to follow */
    Outbox(NettyFfConfiguration configuration, ByteBufAllocator allocator, Runnable connect) {
        this.allocator = allocator;
        this.connect = connect;
        bufferSize = configuration.getBufferSize();
        flushBytes = configuration.getFlushBytes();
        lingerNanos = TimeUnit.MICROSECONDS.toNanos(configuration.getLingerMicros());
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
            long size = 0;
            for (int i = 0; i < count; i++) {
                size += Payload.size(messages.get(i));
            }
            requireOpen(0);
            connectIfIdle();
            if (room.has(size, account.pendingBytes)) {
                for (; done < count; done++) {
                    accept(messages.get(done), 1);
                }
                wake();
                return;
            }
            if (room.overflow() == Overflow.FAIL) {
                throw room.full(size, 0);
            }
            int losses = account.losses;
            for (; done < count; done++) {
                requireSame(losses, done);
                admit(messages.get(done), 1, done);
            }
        } finally {
            account.refused += count - done;
            lock.unlock();
        }
    }

    private void admit(Object message, int count, int before) throws SendRefusedException {
        int size = Payload.size(message);
        requireOpen(before);
        connectIfIdle();
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

    private void connectIfIdle() {
        if (line == null && !connecting) {
            connect.run();
            connecting = true;
        }
    }

    private void accept(Object message, int count) {
        int size = Payload.size(message);
        if (size == 0) {
            account.written += count;
        } else {
            append(message, size);
            account.pending += count;
            queue.getLast().messages += count;
        }
        account.accepted += count;
    }

    private void awaitRoom(int size, int before) throws SendRefusedException {
        int losses = account.losses;
        hurry++;
        wake();
        long start = System.nanoTime();
        try {
            room.await(size, before, () -> {
                requireSame(losses, before);
                requireOpen(before);
                return account.pendingBytes;
            });
        } finally {
            hurry--;
            account.blockedNanos += System.nanoTime() - start;
        }
    }

    private void requireOpen(int before) throws SendRefusedException {
        if (stopped) {
            throw new SendRefusedException("the endpoint is stopped", before, null);
        }
        if (down != null) {
            owed = null;
            throw new SendRefusedException("not connected: " + text(down), before, down);
        }
        if (owed != null) {
            Throwable cause = owed;
            owed = null;
            throw new SendRefusedException("the connection was lost: " + text(cause), before, cause);
        }
    }

    /** Who began before a loss has not to go on after it. */
    private void requireSame(int losses, int before) throws SendRefusedException {
        if (losses != account.losses) {
            Throwable cause = owed;
            owed = null;
            throw new SendRefusedException("the connection was lost meanwhile", before, cause);
        }
    }

    private static String text(Throwable cause) {
        return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
    }

    /** All of the message or, if there is no memory for it, nothing of it. */
    private void append(Object message, int size) {
        Chunk last = queue.peekLast();
        if (last != null && last.buffer.writableBytes() >= size) {
            Payload.copy(message, 0, size, last.buffer);
            queuedBytes += size;
            account.pendingBytes += size;
        } else {
            appendAcross(last, message, size);
        }
    }

    private void appendAcross(@Nullable Chunk last, Object message, int size) {
        int mark = last == null ? 0 : last.buffer.writerIndex();
        Chunk chunk = last;
        boolean complete = false;
        try {
            for (int from = 0; from < size; ) {
                if (chunk == null || !chunk.buffer.isWritable()) {
                    chunk = newChunk();
                }
                int part = Math.min(size - from, chunk.buffer.writableBytes());
                Payload.copy(message, from, part, chunk.buffer);
                from += part;
            }
            queuedBytes += size;
            account.pendingBytes += size;
            complete = true;
        } finally {
            if (!complete) {
                while (queue.peekLast() != last) {
                    queue.removeLast().buffer.release();
                }
                if (last != null) {
                    last.buffer.writerIndex(mark);
                }
            }
        }
    }

    private Chunk newChunk() {
        ByteBuf buffer = allocator.directBuffer(bufferSize, bufferSize);
        if (queue.isEmpty()) {
            oldestNanos = System.nanoTime();
        }
        Chunk chunk = new Chunk(this, buffer);
        queue.addLast(chunk);
        return chunk;
    }

    /** Sees to it that what is queued gets out in time. Where all places under way are taken, {@link #written} does. */
    private void wake() {
        Line to = line;
        if (to == null || queue.isEmpty() || underWay.size() == MOST_UNDER_WAY) {
            return;
        }
        if (queuedBytes >= flushBytes || lingerNanos == 0 || hurry > 0) {
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
            if (from != line || queue.isEmpty()) {
                return false;
            }
            long left = lingerNanos - (System.nanoTime() - oldestNanos);
            if (left > 0) {
                from.drainAfter(left);
            }
            return left <= 0;
        } finally {
            lock.unlock();
        }
    }

    /** On the event loop: hands over what is to be written now. */
    void take(Line to, List<Chunk> batch) {
        lock.lock();
        try {
            to.draining = false;
            if (to != line) {
                return;
            }
            while (underWay.size() < MOST_UNDER_WAY && !queue.isEmpty()) {
                Chunk chunk = queue.removeFirst();
                chunk.bytes = chunk.buffer.readableBytes();
                queuedBytes -= chunk.bytes;
                underWay.addLast(chunk);
                batch.add(chunk);
            }
            if (!batch.isEmpty()) {
                account.flushes++;
            }
            oldestNanos = System.nanoTime();
        } finally {
            lock.unlock();
        }
    }

    /** On the event loop: the kernel has a chunk. */
    void written(Chunk chunk) {
        lock.lock();
        try {
            if (!underWay.remove(chunk)) {
                return;
            }
            account.written(chunk);
            wake();
            room.signal(account.pendingBytes);
            if (account.pending == 0) {
                settled.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    void broken(Throwable cause) {
        lock.lock();
        try {
            if (line != null) {
                line.broken(cause);
            }
        } finally {
            lock.unlock();
        }
    }

    /** From now on messages are accepted; a connection is made when the first comes. */
    void start() {
        lock.lock();
        try {
            stopped = false;
            down = null;
            owed = null;
        } finally {
            lock.unlock();
        }
    }

    /** A connection is about to be made without a message: whether it still may. */
    boolean connecting() {
        lock.lock();
        try {
            if (stopped || connecting || line != null) {
                return false;
            }
            connecting = true;
            down = null;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** On the event loop: what is queued goes out on this; not if nobody waits for a connection any more. */
    boolean connected(Line to) {
        lock.lock();
        try {
            if (!connecting) {
                return false;
            }
            connecting = false;
            line = to;
            if (account.connections++ > 0) {
                account.reconnects++;
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
            if (from == null ? !connecting : from != line) {
                return null;
            }
            Loss loss = settle(cause);
            if (from != null || loss.messages() > 0) {
                owed = cause;
            }
            down = cause;
            return loss;
        } finally {
            lock.unlock();
        }
    }

    private Loss settle(Throwable cause) {
        long messages = 0;
        long bytes = 0;
        for (Chunk chunk : underWay) {
            if (chunk.written()) {
                account.written(chunk);
            } else {
                messages += chunk.messages;
                bytes += chunk.bytes;
            }
        }
        underWay.clear();
        for (Chunk chunk : queue) {
            messages += chunk.messages;
            bytes += chunk.buffer.readableBytes();
            chunk.buffer.release();
        }
        queue.clear();
        queuedBytes = 0;
        line = null;
        connecting = false;
        account.lost(messages);
        room.signalAll();
        settled.signalAll();
        return new Loss(messages, bytes, cause);
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
            stopped = true;
            room.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Gives the connection up: what is left has failed. A later message begins a new one. */
    Loss abandon(Throwable cause) {
        lock.lock();
        try {
            if (line != null || account.pending > 0) {
                owed = cause;
            }
            return settle(cause);
        } finally {
            lock.unlock();
        }
    }

    boolean stopped() {
        lock.lock();
        try {
            return stopped;
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
