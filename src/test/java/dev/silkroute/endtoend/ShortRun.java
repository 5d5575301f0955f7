package dev.silkroute.endtoend;

import dev.silkroute.chaos.Plan;
import dev.silkroute.fixture.StationProcess;
import dev.silkroute.load.LoadProfile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Plans of runs that are short enough for the test suite, against the application of this build. */
final class ShortRun {
    private ShortRun() {}

    /** @param name of the folder for the logs of the processes, which stay after the test */
    static Plan plan(Path folder, String name, LoadProfile load, double changesPerSecond) {
        return new Plan(
                Path.of(""),
                folder,
                Path.of("target", "stations", name),
                load,
                changesPerSecond,
                List.of(StationProcess.SHORT_LIVED),
                Duration.ofMinutes(2),
                false);
    }
}
