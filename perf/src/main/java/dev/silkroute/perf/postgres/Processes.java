package dev.silkroute.perf.postgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** CPU time and memory of other processes, where {@code /proc} has it. */
public final class Processes {
    /** USER_HZ, which Linux reports to programs as 100 on all platforms. */
    private static final double TICKS_PER_SECOND = 100;

    private static final int UTIME = 11;
    private static final int CSTIME = 14;

    private Processes() {}

    /** User and system time of a process and of its children that have ended; 0 if there is no such process. */
    public static double cpuSeconds(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
            // Counted behind the name, which may have blanks.
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            long ticks = 0;
            for (int field = UTIME; field <= CSTIME; field++) {
                ticks += Long.parseLong(fields[field]);
            }
            return ticks / TICKS_PER_SECOND;
        } catch (IOException e) {
            return 0;
        }
    }

    /** The size of a process's memory of one kind, such as {@code VmRSS}, in MiB; 0 if there is no such process. */
    public static double memoryMib(long pid, String kind) {
        try {
            for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/status"))) {
                if (line.startsWith(kind + ":")) {
                    return Long.parseLong(line.replaceAll("\\D", "")) / 1024.0;
                }
            }
            return 0;
        } catch (IOException e) {
            return 0;
        }
    }
}
