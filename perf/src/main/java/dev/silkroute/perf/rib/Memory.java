package dev.silkroute.perf.rib;

import com.sun.management.ThreadMXBean;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;

/** The memory that this JVM uses and has allocated. */
public final class Memory {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private Memory() {}

    /** Heap that is left when nothing is garbage, and direct buffers. */
    public static long inUse() {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 2; i++) {
            System.gc();
            Runtime runtime = Runtime.getRuntime();
            least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
        }
        for (BufferPoolMXBean pool : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)) {
            least += pool.getMemoryUsed();
        }
        return least;
    }

    /** Bytes that all threads have allocated so far. */
    static long allocated() {
        return THREADS.getTotalThreadAllocatedBytes();
    }

    static long allocatedByThisThread() {
        return THREADS.getCurrentThreadAllocatedBytes();
    }

    /** In nanoseconds; without what the JVM's other threads do for it. */
    static long cpuOfThisThread() {
        return THREADS.getCurrentThreadCpuTime();
    }
}
