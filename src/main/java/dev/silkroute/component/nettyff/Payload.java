package dev.silkroute.component.nettyff;

import io.netty.buffer.ByteBuf;
import io.netty.util.IllegalReferenceCountException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Access to the two forms of a message: {@code byte[]}, and {@link ByteBuf} between its reader and writer index. */
final class Payload {
    private Payload() {}

    static boolean isMessage(@Nullable Object body) {
        return body instanceof byte[] || body instanceof ByteBuf;
    }

    /** Returns the size of a message in bytes. */
    static int size(Object message) {
        if (message instanceof byte[] bytes) {
            return bytes.length;
        }
        ByteBuf buffer = (ByteBuf) message;
        if (buffer.refCnt() == 0) {
            // A released buffer still reports its size; copying it would fail later.
            throw new IllegalReferenceCountException("the message is a buffer that was already released");
        }
        return buffer.readableBytes();
    }

    /** Appends part of a message without moving its indices. */
    static void copy(Object message, int from, int length, ByteBuf to) {
        if (message instanceof byte[] bytes) {
            to.writeBytes(bytes, from, length);
        } else {
            ByteBuf buffer = (ByteBuf) message;
            to.writeBytes(buffer, buffer.readerIndex() + from, length);
        }
    }

    /**
     * Returns the size of all messages in bytes.
     *
     * @throws IllegalArgumentException if one of them is neither a {@code byte[]} nor a {@code ByteBuf}
     */
    static long size(List<?> messages) {
        long size = 0;
        for (int i = 0; i < messages.size(); i++) {
            Object message = messages.get(i);
            if (message instanceof byte[] bytes) {
                size += bytes.length;
            } else if (message instanceof ByteBuf) {
                size += size(message);
            } else {
                throw new IllegalArgumentException("message " + i
                        + " of the batch is neither a byte[] nor a ByteBuf but "
                        + (message == null ? "null" : "a " + message.getClass().getName()));
            }
        }
        return size;
    }

    /** Releases the buffers that an exchange has handed over, alone or in a batch, once each. */
    static void release(@Nullable Object body) {
        if (body instanceof byte[]) {
            return;
        }
        releaseBuffer(body);
        if (body instanceof List<?> list) {
            for (int i = 0; i < list.size(); i++) {
                releaseBuffer(list.get(i));
            }
        } else if (body instanceof Object[] array) {
            for (Object each : array) {
                releaseBuffer(each);
            }
        }
    }

    private static void releaseBuffer(@Nullable Object message) {
        if (message instanceof ByteBuf buffer && buffer.refCnt() > 0) {
            buffer.release();
        }
    }
}
