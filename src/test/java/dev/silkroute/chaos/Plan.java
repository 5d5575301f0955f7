package dev.silkroute.chaos;

import dev.silkroute.load.LoadProfile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * The configuration of a cluster.
 *
 * @param home the directory of {@code silkroute} and its build
 * @param folder the data directory, which the caller removes
 * @param logs the directory of the processes' logs
 * @param load the routers; their number of changes is unlimited, whatever the profile contains
 * @param changesPerSecond the rate of each router, or 0 for no limit
 * @param javaOptions the JVM options of the station's processes
 * @param recovery the maximum time until everything is stored after the last process is back
 * @param moving whether a router that has lost its connection connects to any of the collectors
 */
public record Plan(
        Path home,
        Path folder,
        Path logs,
        LoadProfile load,
        double changesPerSecond,
        List<String> javaOptions,
        Duration recovery,
        boolean moving) {
    public Plan {
        javaOptions = List.copyOf(javaOptions);
    }
}
