package dev.silkroute.component.bmp;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One event of a {@link dev.silkroute.route.RouteBatch} as an object with readable values, for route steps and JSON.
 * Names and texts are those of {@code v_route_history}; values that an event doesn't have are null.
 */
public record Route(
        String event,
        String collector,
        String router,
        String routerAddress,
        long sessionId,
        long sequence,
        long receivedAtMicros,
        long routerTimeMicros,
        boolean synthetic,
        @Nullable String peerType,
        @Nullable String peerDistinguisher,
        @Nullable String peerAddress,
        long peerAsn,
        @Nullable String peerBgpId,
        @Nullable String ribView,
        int afi,
        int safi,
        @Nullable String family,
        @Nullable String rd,
        @Nullable String prefix,
        @Nullable String nlri,
        @Nullable Long pathId,
        @Nullable List<Integer> labels,
        @Nullable String nextHop,
        @Nullable String origin,
        @Nullable String asPath,
        @Nullable Long originAsn,
        @Nullable Long med,
        @Nullable Long localPref,
        @Nullable List<String> communities,
        @Nullable List<String> largeCommunities,
        @Nullable List<String> extCommunities) {
    /** Whether it is an announcement or a withdrawal, not an event of a peer or session. */
    public boolean isRoute() {
        return event.equals("announce") || event.equals("withdraw");
    }
}
