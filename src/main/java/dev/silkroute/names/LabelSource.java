package dev.silkroute.names;

import java.util.Map;

/** The newest labels of routers and peers. Thread-safe. */
@FunctionalInterface
public interface LabelSource {
    /** Nothing has a label. */
    LabelSource NONE = (router, peer) -> Map.of();

    /**
     * Returns the labels of a peer with those of its router, in the order of their names; empty without any.
     *
     * @param peer the canonical address
     */
    Map<String, String> labelsOf(String router, String peer);
}
