package dev.silkroute.app.ask;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The options that select events of a prefix. */
final class HistoryOptions {
    @Parameters(paramLabel = "PREFIX", arity = "1", description = "The prefix, such as 192.0.2.0/24")
    String prefix = "";

    @Option(
            names = "--from",
            paramLabel = "TIME",
            description = "Events from this time, such as -2h or 2026-11-21T09:30:00Z")
    @Nullable
    String from;

    @Option(
            names = {"--to", "--at"},
            paramLabel = "TIME",
            description = "Events up to this time")
    @Nullable
    String to;

    @Mixin
    ViewOptions views = new ViewOptions();

    /** @param limit the maximum number of events */
    ApiPath path(int limit) {
        return views.add(new ApiPath("routes/history")
                .with("prefix", prefix)
                .with("from", from)
                .with("to", to)
                .with("limit", limit));
    }
}
