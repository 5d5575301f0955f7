package dev.silkroute.chaos;

import dev.silkroute.load.LoadProfile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * What a cluster is and what it goes through.
 *
 * @param home where {@code silkroute} and what it has built are
 * @param folder for data; removed by whoever made it
 * @param logs what the station's processes write, kept
 * @param load the routers; they change for ever, whatever it says
 * @param changesPerSecond of each router; 0: as many as go
 * @param javaOptions of the station's processes
 * @param recovery how long all may take to be written once the last one is back
 */
public record Plan(
        Path home,
        Path folder,
        Path logs,
        LoadProfile load,
        double changesPerSecond,
        List<String> javaOptions,
        Duration recovery) {
    public Plan {
        javaOptions = List.copyOf(javaOptions);
    }
}
