package dev.silkroute.app.ask;

import dev.silkroute.app.console.Candidates;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that select routers, peers and RIB views. */
final class ViewOptions extends PeerOptions {
    @Option(
            names = "--view",
            paramLabel = "VIEW",
            completionCandidates = Candidates.Views.class,
            description = "Only this RIB view, such as adj-rib-in-pre")
    @Nullable
    String view;

    @Override
    ApiPath add(ApiPath path) {
        return super.add(path).with("view", view);
    }
}
