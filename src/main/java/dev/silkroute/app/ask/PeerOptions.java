package dev.silkroute.app.ask;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that select routers and peers. */
class PeerOptions {
    @Option(names = "--router", paramLabel = "NAME", description = "Only this router")
    @Nullable
    String router;

    @Option(names = "--peer", paramLabel = "ADDRESS", description = "Only this peer")
    @Nullable
    String peer;

    ApiPath add(ApiPath path) {
        return path.with("router", router).with("peer", peer);
    }
}
