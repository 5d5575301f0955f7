package dev.silkroute.app.ask;

import dev.silkroute.app.console.AnswerFormat;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code silkroute status}: how a running station is. */
@Command(
        name = "status",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Shows sessions, routers, peers and lanes of a running station.")
public final class StatusCommand implements Callable<Integer> {
    @Mixin
    private AnswerFormat format = new AnswerFormat();

    @Mixin
    private StationApi station = new StationApi();

    @Override
    public Integer call() {
        format.print(station.get("/api/v1/status"), StatusText::of);
        return 0;
    }
}
