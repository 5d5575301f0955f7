package dev.silkroute.perf.history;

/**
 * A query for both schemas: the number of events, and a digest of the columns that both have: time, router, peer,
 * prefix, action, next hop, AS path, MED, communities. jBMP's signed values are read unsigned.
 */
final class SameRoutes {
    static final String OURS = """
            SELECT count(*), sum(hashtextextended(concat_ws('|', e.received_at, e.router_time,
              md5(r.name || '/' || host(p.address))::uuid, e.prefix, e.action = 1, a.next_hop, a.as_path_asns, a.med,
              a.communities), 0))
            FROM bmp.route_event e JOIN bmp.peer p USING (peer_id) JOIN bmp.router r USING (router_id)
              LEFT JOIN bmp.path_attributes a ON a.attribute_hash = e.attribute_hash""";

    static final String JBMP = """
            SELECT count(*), sum(hashtextextended(concat_ws('|', received_at, timestamp, peer_id, prefix, action = 0,
              next_hop, as_path_asns, med::bigint & 4294967295, texts), 0))
            FROM route_monitor,
              LATERAL (SELECT CASE WHEN as_path IS NOT NULL THEN
                ARRAY(SELECT asn::bigint & 4294967295 FROM unnest(as_path) asn) END AS as_path_asns) a,
              LATERAL (SELECT CASE WHEN communities IS NOT NULL THEN ARRAY(
                SELECT (c::bigint >> 16 & 65535) || ':' || (c & 65535) FROM unnest(communities) c) END AS texts) b""";

    private SameRoutes() {}
}
