package dev.silkroute.perf.report;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Describes the machine of a result, and measures the CPU time of this process. */
public final class Machine {
    private static final OperatingSystemMXBean SYSTEM =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    private Machine() {}

    public static String describe() {
        return "%d cores (%s), %d GiB, %s %s, Java %s"
                .formatted(
                        SYSTEM.getAvailableProcessors(),
                        processor(),
                        Math.round(SYSTEM.getTotalMemorySize() / (double) (1L << 30)),
                        SYSTEM.getName(),
                        SYSTEM.getVersion(),
                        Runtime.version());
    }

    /** CPU seconds of this process so far, over all its threads. */
    public static double cpuSeconds() {
        return SYSTEM.getProcessCpuTime() / 1e9;
    }

    private static String processor() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
            return lines.filter(line -> line.startsWith("model name"))
                    .findFirst()
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .orElse(SYSTEM.getArch());
        } catch (IOException e) {
            return SYSTEM.getArch();
        }
    }
}
