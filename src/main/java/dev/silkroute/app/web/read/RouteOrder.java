package dev.silkroute.app.web.read;

import dev.silkroute.app.web.read.Listing.Key;
import java.util.List;
import java.util.stream.Stream;

/** The orders of routes, of their events and of their differences. */
final class RouteOrder {
    /** The order of routes. NLRI that are not prefixes come last. */
    static final List<Key> RIB = List.of(
            new Key("r.prefix", "cidr", true),
            Key.of("r.peer_id", "integer"),
            Key.of("r.rib_view", "text"),
            Key.of("r.family", "text"),
            Key.of("coalesce(r.rd, '')", "text"),
            Key.of("coalesce(r.path_id, -1)", "bigint"),
            Key.of("r.nlri", "text"));

    /** The columns that distinguish the routes of one prefix, where the relation has no {@code peer_id}. */
    private static final List<Key> OF_PREFIX = List.of(
            Key.of("r.router", "text"),
            Key.of("r.peer_address", "inet"),
            Key.of("r.peer_distinguisher", "text"),
            Key.of("r.peer_bgp_id", "inet"),
            Key.of("r.peer_type", "text"),
            Key.of("r.rib_view", "text"),
            Key.of("r.family", "text"),
            Key.of("coalesce(r.rd, '')", "text"),
            Key.of("coalesce(r.path_id, -1)", "bigint"));

    /** The order of the events of a prefix. */
    static final List<Key> HISTORY = join(
            List.of(
                    Key.of("r.received_at", "timestamptz"),
                    Key.of("r.session_id", "bigint"),
                    Key.of("r.sequence", "bigint")),
            OF_PREFIX,
            List.of(Key.of("r.event", "text")));

    /** The order of differences. NLRI that are not prefixes come last. */
    static final List<Key> DIFFERENCES =
            join(List.of(new Key("r.prefix", "cidr", true)), OF_PREFIX, List.of(Key.of("r.nlri", "text")));

    private RouteOrder() {}

    private static List<Key> join(List<Key> first, List<Key> second, List<Key> third) {
        return Stream.of(first, second, third).flatMap(List::stream).toList();
    }
}
