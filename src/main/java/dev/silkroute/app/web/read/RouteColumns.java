package dev.silkroute.app.web.read;

import dev.silkroute.rpki.AspaVerdict;
import dev.silkroute.rpki.Validity;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The columns of the views that the API returns, as docs/how-to/query.md describes them. */
final class RouteColumns {
    private static final List<String> PEER = List.of(
            "router",
            "peer_address",
            "peer_asn",
            "peer_bgp_id",
            "peer_type",
            "peer_distinguisher",
            "table_name",
            "rib_view");
    private static final List<String> NLRI = List.of("afi", "safi", "family", "rd", "prefix", "nlri", "path_id");
    private static final List<String> ATTRIBUTES = List.of(
            "next_hop",
            "next_hop_link_local",
            "origin",
            "as_path",
            "origin_asn",
            "med",
            "local_pref",
            "communities",
            "large_communities",
            "ext_communities",
            "labels",
            "attributes",
            "path_status",
            "path_reason");

    static final List<String> ROUTERS = List.of(
            "router",
            "address",
            "sys_name",
            "sys_descr",
            "state",
            "connected_at",
            "disconnected_at",
            "session_id",
            "name_source",
            "flaps",
            "labels");

    static final List<String> ALERTS = List.of(
            "alert_id",
            "rule",
            "state",
            "prefix",
            "router",
            "peer_address",
            "peer_asn",
            "rib_view",
            "family",
            "monitored_prefix",
            "description",
            "alert_group",
            "condition",
            "threshold",
            "vantage_points",
            "opened_at",
            "notified_at",
            "closed_at",
            "evidence",
            "suppressed_by");

    /** {@code bytes} are hexadecimal digits, {@code length} is that of the whole message. */
    static final List<String> QUARANTINE = List.of(
            "id",
            "router",
            "peer_address",
            "peer_asn",
            "peer_bgp_id",
            "peer_type",
            "peer_distinguisher",
            "rib_view",
            "message_type",
            "reason",
            "rfc_section",
            "byte_offset",
            "length",
            "bytes",
            "received_at",
            "router_time",
            "session_id",
            "sequence",
            "kafka_record",
            "state",
            "redecoded_at");

    static final List<String> PEERS = join(
            PEER,
            List.of(
                    "state",
                    "up_at",
                    "down_at",
                    "down_reason",
                    "capabilities",
                    "local_address",
                    "local_port",
                    "remote_port",
                    "session_id",
                    "decode",
                    "synchronized_families",
                    "flaps",
                    "labels"));

    /** The columns of {@code v_rib} and {@code rib_at()}. */
    static final List<String> RIB = join(
            PEER, NLRI, ATTRIBUTES, List.of("first_seen", "last_changed", "stale", "session_id", "table_synchronized"));

    /** The result of {@code rpki_validity()}, which is only computed if it is selected: about 0.1 ms for a row. */
    static final String VALIDITY = Validity.HEADER;

    /** The same for each time of a difference. */
    static final List<String> VALIDITIES = List.of("old_" + VALIDITY, "new_" + VALIDITY);

    /** The verdict about the AS path by ASPAs, which the RIB in memory has only: none are in the database. */
    static final String ASPA = AspaVerdict.HEADER;

    /** The columns of a lookup, which has few rows. */
    static final List<String> LOOKUP = join(RIB, List.of(VALIDITY, ASPA));

    /** The columns of a lookup that the RIB has. */
    static final Set<String> RIB_LOOKUP = Set.of(
            "router",
            "peer_address",
            "peer_asn",
            "rib_view",
            "family",
            "prefix",
            "path_id",
            "labels",
            "next_hop",
            "next_hop_link_local",
            "origin",
            "as_path",
            "origin_asn",
            "med",
            "local_pref",
            "communities",
            "large_communities",
            "ext_communities",
            "attributes",
            VALIDITY,
            ASPA,
            "stale",
            "table_synchronized");

    /** The columns of {@code route_timeline()}: those of {@code v_route_history}, and what each event changed. */
    static final List<String> HISTORY = join(
            List.of("event", "change", "changed", "synthetic", "received_at", "router_time", "session_id", "sequence"),
            PEER,
            List.of("family", "rd", "prefix", "nlri", "path_id"),
            common());

    /** The columns of {@code rib_diff()}, with each attribute before and after. */
    static final List<String> DIFF = join(
            List.of("change", "changed"),
            PEER,
            NLRI,
            common().stream()
                    .flatMap(attribute -> Stream.of("old_" + attribute, "new_" + attribute))
                    .toList(),
            List.of("old_received_at", "new_received_at", "synthetic"));

    /** The columns of {@code compare_views()}, and the validity. */
    static final List<String> COMPARISON = List.of(
            "router",
            "peer_address",
            "peer_asn",
            "peer_bgp_id",
            "peer_type",
            "peer_distinguisher",
            "family",
            "rd",
            "prefix",
            "path_id",
            "direction",
            "outcome",
            "changed",
            "selected",
            "adj_rib_in_pre",
            "adj_rib_in_post",
            "loc_rib",
            "adj_rib_out_pre",
            "adj_rib_out_post",
            "stale",
            VALIDITY);

    /** The columns of {@code reconcile()}. */
    static final List<String> RECONCILIATION = join(
            PEER,
            List.of(
                    "afi",
                    "safi",
                    "family",
                    "state",
                    "reason",
                    "station_count",
                    "router_count",
                    "difference",
                    "changes_since",
                    "name",
                    "statistic_at",
                    "differs_since",
                    "table_synchronized"));

    private RouteColumns() {}

    /** The attributes that the functions about the past return. */
    private static List<String> common() {
        return ATTRIBUTES.stream()
                .filter(attribute -> !attribute.equals("next_hop_link_local"))
                .toList();
    }

    @SafeVarargs
    private static List<String> join(List<String>... lists) {
        var all = new ArrayList<String>();
        for (var list : lists) {
            all.addAll(list);
        }
        return List.copyOf(all);
    }
}
