package dev.silkroute.app.ask;

import dev.silkroute.app.console.ConsoleCommand;
import dev.silkroute.app.console.ExitCode;
import dev.silkroute.app.console.JsonValues;
import dev.silkroute.app.console.OutputOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code silkroute status}: shows the state of a running station. */
@Command(
        name = "status",
        description = {
            "Shows sessions, routers, peers and topics of a running station.",
            "The exit code is 1 if the station reports problems."
        })
public final class StatusCommand extends ConsoleCommand {
    @Mixin
    private OutputOptions output = new OutputOptions();

    @Mixin
    private StationApi station = new StationApi();

    @Override
    public Integer call() {
        var status = station.get("/api/v1/status");
        output.print(status, StatusText::of, JsonValues::csv);
        return status.path("problems").isEmpty() ? ExitCode.OK : ExitCode.FAILURE;
    }
}
