package dev.silkroute.perf.layout;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Records of eight ints that readers read while one thread writes: each int by acquire, published by release. */
interface Layout {
    int WIDTH = 8;
    /** Records of a segment, half a MiB; what has segments can grow without moving. */
    int SHIFT = 14;

    int MASK = (1 << SHIFT) - 1;

    int read(int id, int word);

    void publish(int id, int word, int value);

    static int segments(int records) {
        return (records >>> SHIFT) + 1;
    }

    /** Arrays in segments, as in the RIB. */
    final class Arrays implements Layout {
        private static final VarHandle INT = MethodHandles.arrayElementVarHandle(int[].class);
        private final int[][] segments;

        Arrays(int records) {
            segments = new int[segments(records)][WIDTH << SHIFT];
        }

        @Override
        public int read(int id, int word) {
            return (int) INT.getAcquire(segments[id >>> SHIFT], (id & MASK) * WIDTH + word);
        }

        @Override
        public void publish(int id, int word, int value) {
            INT.setRelease(segments[id >>> SHIFT], (id & MASK) * WIDTH + word, value);
        }
    }

    /** Foreign memory of as many segments. */
    final class ForeignSegments implements Layout {
        private static final VarHandle INT = JAVA_INT.varHandle();
        private final MemorySegment[] segments;

        ForeignSegments(int records, Arena arena) {
            segments = new MemorySegment[segments(records)];
            for (int i = 0; i < segments.length; i++) {
                segments[i] = arena.allocate((long) WIDTH << SHIFT + 2, 64);
            }
        }

        @Override
        public int read(int id, int word) {
            return (int) INT.getAcquire(segments[id >>> SHIFT], ((id & MASK) * WIDTH + word) * 4L);
        }

        @Override
        public void publish(int id, int word, int value) {
            INT.setRelease(segments[id >>> SHIFT], ((id & MASK) * WIDTH + word) * 4L, value);
        }
    }

    /** Foreign memory in one piece, which cannot grow: its fastest configuration. */
    final class Foreign implements Layout {
        private static final VarHandle INT = JAVA_INT.varHandle();
        private final MemorySegment all;

        Foreign(int records, Arena arena) {
            all = arena.allocate((long) records * WIDTH * 4, 64);
        }

        @Override
        public int read(int id, int word) {
            return (int) INT.getAcquire(all, ((long) id * WIDTH + word) * 4);
        }

        @Override
        public void publish(int id, int word, int value) {
            INT.setRelease(all, ((long) id * WIDTH + word) * 4, value);
        }
    }
}
