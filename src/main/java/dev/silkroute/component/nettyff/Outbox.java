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

    /** Empty buffers kept while connected. The pool would give back and zero whole arenas in between. */
    private static final int MOST_SPARE = 4;

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

    private final ArrayDeque<ByteBuf> spare = new ArrayDeque<>(MOST_SPARE);

    private final byte[] gathered = new byte[8 * 1024];

    /** The queue's last chunk. */
    private @Nullable Chunk tail;

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
            long size = Payload.size(messages);
            requireOpen(0);
            connectIfIdle();
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

    /**
     * Accepts small arrays by way of the heap: gathering them there and copying them out together costs less than half of
     * copying each out of it.
     *
     * @return where it stopped, at something else or for want of room
     */
    private int acceptRun(List<?> messages, int from) {
        Chunk chunk = tail;
        if (chunk == null) {
            return from;
        }
        int most = Math.min(gathered.length, chunk.buffer.writableBytes());
        int size = 0;
        int to = from;
        while (to < messages.size()
                && messages.get(to) instanceof byte[] bytes
                && bytes.length > 0
                && bytes.length <= most - size) {
            System.arraycopy(bytes, 0, gathered, size, bytes.length);
            size += bytes.length;
            to++;
        }
        chunk.buffer.writeBytes(gathered, 0, size);
        chunk.messages += to - from;
        queuedBytes += size;
        account.pendingBytes += size;
        account.pending += to - from;
        account.accepted += to - from;
        return to;
    }

    private void accept(Object message, int count) {
        int size = Payload.size(message);
        if (size == 0) {
            account.written += count;
        } else {
            append(message, size).messages += count;
            account.pending += count;
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

    /** Appends a message; the chunk that has its last byte. */
    private Chunk append(Object message, int size) {
        Chunk last = tail;
        if (last == null || last.buffer.writableBytes() < size) {
            last = appendAcross(last, message, size);
        } else {
            Payload.copy(message, 0, size, last.buffer);
        }
        queuedBytes += size;
        account.pendingBytes += size;
        return last;
    }

    /** All of the message or, if there is no memory for it, nothing of it. */
    private Chunk appendAcross(@Nullable Chunk last, Object message, int size) {
        int mark = last == null ? 0 : last.buffer.writerIndex();
        Chunk chunk = last;
        try {
            for (int from = 0; from < size || chunk == null; ) {
                if (chunk == null || !chunk.buffer.isWritable()) {
                    chunk = newChunk();
                }
                int part = Math.min(size - from, chunk.buffer.writableBytes());
                Payload.copy(message, from, part, chunk.buffer);
                from += part;
            }
            tail = chunk;
            return chunk;
        } catch (RuntimeException | Error e) {
            while (queue.peekLast() != last) {
                queue.removeLast().buffer.release();
            }
            if (last != null) {
                last.buffer.writerIndex(mark);
            }
            throw e;
        }
    }

    private Chunk newChunk() {
        ByteBuf buffer = spare.isEmpty() ? allocator.directBuffer(bufferSize, bufferSize) : spare.removeLast();
        if (queue.isEmpty()) {
            oldestNanos = System.nanoTime();
        }
        Chunk chunk = new Chunk(this, buffer);
        queue.addLast(chunk);
        return chunk;
    }

    /** Whether what is queued has to wait no longer. */
    private boolean due() {
        return queuedBytes >= flushBytes || lingerNanos == 0 || hurry > 0;
    }

    /** Sees to it that what is queued gets out in time. Where all places under way are taken, {@link #written} does. */
    private void wake() {
        Line to = line;
        if (to == null || queue.isEmpty() || underWay.size() == MOST_UNDER_WAY) {
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
            if (to != line) {
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
        while (underWay.size() < MOST_UNDER_WAY && !queue.isEmpty()) {
            Chunk chunk = queue.removeFirst();
            chunk.bytes = chunk.buffer.readableBytes();
            // Ours for when the write has given up its own reference, see settle.
            chunk.buffer.retain();
            queuedBytes -= chunk.bytes;
            underWay.addLast(chunk);
            next.add(chunk);
        }
        if (queue.isEmpty()) {
            tail = null;
        }
        if (!next.isEmpty()) {
            account.flushes++;
        }
        oldestNanos = System.nanoTime();
    }

    private void settle(Chunk chunk) {
        if (!underWay.remove(chunk)) {
            return;
        }
        account.written(chunk);
        recycle(chunk.buffer);
        room.signal(account.pendingBytes);
        if (account.pending == 0) {
            settled.signalAll();
        }
    }

    /** Keeps a buffer for the next messages, unless somebody else still has it. */
    private void recycle(ByteBuf buffer) {
        if (buffer.refCnt() == 1 && spare.size() < MOST_SPARE) {
            spare.addLast(buffer.clear());
        } else {
            buffer.release();
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
            down = null;
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
            chunk.buffer.release();
        }
        underWay.clear();
        for (Chunk chunk : queue) {
            messages += chunk.messages;
            bytes += chunk.buffer.readableBytes();
            chunk.buffer.release();
        }
        queue.clear();
        tail = null;
        spare.forEach(ByteBuf::release);
        spare.clear();
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
