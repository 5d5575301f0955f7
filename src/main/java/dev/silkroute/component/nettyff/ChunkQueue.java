package dev.silkroute.component.nettyff;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.ArrayDeque;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The queued bytes: chunks that are being filled or wait for a connection, and chunks in flight, which a
 * connection is writing. Guarded by the lock of the {@link SendBuffer}.
 *
 * <p>Messages are stored back to back and may span two chunks, so memory is bounded by {@code maxPendingBytes} plus one
 * buffer for each chunk in flight or being filled. A message counts with the chunk that holds its last byte:
 *
 * <pre>
 * bufferSize = 8, messages AAAAA, BBBBB, CC:
 * chunk 1: AAAAABBB   messages = 1 (A)
 * chunk 2: BBCC....   messages = 2 (B, C)
 * </pre>
 */
final class ChunkQueue {
    /** One chunk in the socket and one ready to follow. More would spread the same bytes over more buffers. */
    static final int MAX_IN_FLIGHT = 2;

    /**
     * Empty buffers kept for reuse while connected; otherwise Netty's pool would free and zero whole arenas between
     * messages.
     */
    private static final int MAX_SPARE = 4;

    private static final int GATHER_BYTES = 8 * 1024;

    private final ByteBufAllocator allocator;
    private final LongSupplier clock;
    private final int bufferSize;
    private final ArrayDeque<Chunk> queue = new ArrayDeque<>();
    private final ArrayDeque<Chunk> inFlight = new ArrayDeque<>(MAX_IN_FLIGHT);
    private final ArrayDeque<ByteBuf> spare = new ArrayDeque<>(MAX_SPARE);
    private final byte[] gathered = new byte[GATHER_BYTES];

    /** The last chunk of the queue, which is being filled. */
    private @Nullable Chunk tail;

    private int queuedBytes;
    private long oldestNanos;

    ChunkQueue(ByteBufAllocator allocator, int bufferSize, LongSupplier clock) {
        this.clock = clock;
        this.allocator = allocator;
        this.bufferSize = bufferSize;
    }

    /** Returns the number of queued bytes, not counting those in flight. */
    int bytes() {
        return queuedBytes;
    }

    /** Returns when the oldest queued bytes were added, as a reading of the clock. */
    long oldestNanos() {
        return oldestNanos;
    }

    /** Returns whether a chunk is queued and another one may be in flight. */
    boolean canTake() {
        return !queue.isEmpty() && inFlight.size() < MAX_IN_FLIGHT;
    }

    boolean isEmpty() {
        return queue.isEmpty();
    }

    /**
     * Appends a body. If memory runs out, nothing of it is appended.
     *
     * @param count the number of messages in the body
     */
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
            oldestNanos = clock.getAsLong();
        }
        Chunk chunk = new Chunk(buffer);
        queue.addLast(chunk);
        return chunk;
    }

    /**
     * Appends consecutive small arrays by collecting them in a heap array first: one copy to the direct buffer for all
     * of them costs less than half as much as one for each.
     *
     * @return the index of the first message that was not appended: another type, empty, or too large for the rest of
     *     the chunk
     */
    int appendRun(List<?> messages, int from) {
        Chunk chunk = tail;
        if (chunk == null) {
            return from;
        }
        int max = Math.min(gathered.length, chunk.buffer.writableBytes());
        int size = 0;
        int to = from;
        while (to < messages.size()
                && messages.get(to) instanceof byte[] bytes
                && bytes.length > 0
                && bytes.length <= max - size) {
            System.arraycopy(bytes, 0, gathered, size, bytes.length);
            size += bytes.length;
            to++;
        }
        chunk.buffer.writeBytes(gathered, 0, size);
        chunk.messages += to - from;
        queuedBytes += size;
        return to;
    }

    /** Moves queued chunks to the in-flight ones, up to {@link #MAX_IN_FLIGHT}, and appends them to {@code next}. */
    void take(List<Chunk> next) {
        while (canTake()) {
            Chunk chunk = queue.removeFirst();
            chunk.bytes = chunk.buffer.readableBytes();
            // Our own reference, because the write releases its one; see settle.
            chunk.buffer.retain();
            queuedBytes -= chunk.bytes;
            inFlight.addLast(chunk);
            next.add(chunk);
        }
        if (queue.isEmpty()) {
            tail = null;
        }
        oldestNanos = clock.getAsLong();
    }

    /** Removes a written chunk. Returns false if it is no longer in flight. */
    boolean settle(Chunk chunk) {
        if (!inFlight.remove(chunk)) {
            return false;
        }
        // Reused unless something in the pipeline still holds a reference.
        if (chunk.buffer.refCnt() == 1 && spare.size() < MAX_SPARE) {
            spare.addLast(chunk.buffer.clear());
        } else {
            chunk.buffer.release();
        }
        return true;
    }

    /** Discards everything. Chunks whose write has succeeded count as written, the others as failed. */
    LostMessages clear(SendCounters counters, Throwable cause) {
        long messages = 0;
        long bytes = 0;
        for (Chunk chunk : inFlight) {
            if (chunk.isWritten()) {
                counters.written(chunk);
            } else {
                messages += chunk.messages;
                bytes += chunk.bytes;
            }
            chunk.buffer.release();
        }
        inFlight.clear();
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
        counters.lost(messages);
        return new LostMessages(messages, bytes, cause);
    }
}
