package dev.silkroute.app.ask;

import dev.silkroute.app.console.ExitCode;
import dev.silkroute.app.console.OutputOptions;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code silkroute status}: shows the state of a running station. */
@Command(
        name = "status",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Shows sessions, routers, peers and lanes of a running station.")
public final class StatusCommand implements Callable<Integer> {
    @Mixin
    private OutputOptions output = new OutputOptions();

    @Mixin
    private StationApi station = new StationApi();

    @Override
    public Integer call() {
        output.print(station.get("/api/v1/status"), StatusText::of);
        return ExitCode.OK;
    }
}
