package dev.silkroute.component.nettyff;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The bytes themselves: chunks that are being filled or wait, and chunks that a connection has. Guarded by the outbox's lock.
 *
 * <p>Messages lie back to back in chunks, also across two, so that memory is {@code maxPendingBytes} and at most one buffer
 * for each chunk that is under way or being filled. A message's fate is that of the chunk with its last byte.
 */
final class ChunkQueue {
    /** One chunk in the socket, one ready for it: more would only spread few bytes over many buffers. */
    static final int MOST_UNDER_WAY = 2;

    /** Empty buffers kept while connected. The pool would give back and zero whole arenas in between. */
    private static final int MOST_SPARE = 4;

    private final Outbox outbox;
    private final ByteBufAllocator allocator;
    private final int bufferSize;
    private final ArrayDeque<Chunk> queue = new ArrayDeque<>();
    private final ArrayDeque<Chunk> underWay = new ArrayDeque<>(MOST_UNDER_WAY);
    private final ArrayDeque<ByteBuf> spare = new ArrayDeque<>(MOST_SPARE);
    private final byte[] gathered = new byte[8 * 1024];

    /** The queue's last chunk. */
    private @Nullable Chunk tail;

    private int queuedBytes;
    private long oldestNanos;

    ChunkQueue(Outbox outbox, ByteBufAllocator allocator, int bufferSize) {
        this.outbox = outbox;
        this.allocator = allocator;
        this.bufferSize = bufferSize;
    }

    /** Bytes that wait. */
    int bytes() {
        return queuedBytes;
    }

    /** Since when the oldest of them do. */
    long oldestNanos() {
        return oldestNanos;
    }

    /** Whether there is something to take, and room for it on the way. */
    boolean canTake() {
        return !queue.isEmpty() && underWay.size() < MOST_UNDER_WAY;
    }

    boolean isEmpty() {
        return queue.isEmpty();
    }

    /** Appends so many messages in one; all of it or, if there is no memory for it, nothing. */
    void append(Object message, int size, int count) {
        Chunk last = tail;
        if (last == null || last.buffer.writableBytes() < size) {
            last = appendAcross(last, message, size);
        } else {
            Payload.copy(message, 0, size, last.buffer);
        }
        last.messages += count;
        queuedBytes += size;
    }

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
        Chunk chunk = new Chunk(outbox, buffer);
        queue.addLast(chunk);
        return chunk;
    }

    /**
     * Appends small arrays by way of the heap: gathering them there and copying them out together costs less than half of
     * copying each out of it.
     *
     * @return where it stopped, at something else or for want of room in the chunk
     */
    int appendRun(List<?> messages, int from) {
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
        return to;
    }

    /** Puts what waits on its way, as far as there is room there. */
    void take(List<Chunk> next) {
        while (canTake()) {
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
        oldestNanos = System.nanoTime();
    }

    /** A chunk has been written; false if it was not under way any more. */
    boolean settle(Chunk chunk) {
        if (!underWay.remove(chunk)) {
            return false;
        }
        // Kept for the next messages, unless somebody else still has it.
        if (chunk.buffer.refCnt() == 1 && spare.size() < MOST_SPARE) {
            spare.addLast(chunk.buffer.clear());
        } else {
            chunk.buffer.release();
        }
        return true;
    }

    /** Gives everything up; what had been written already counts as that, the rest is lost. */
    Loss clear(Account account, Throwable cause) {
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
        account.lost(messages);
        return new Loss(messages, bytes, cause);
    }
}
