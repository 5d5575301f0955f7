package dev.silkroute.app.web.read;

import org.jspecify.annotations.Nullable;

/**
 * The queries of {@link BirdwatcherResource}. A BIRD protocol is a peer of the router; its accepted routes are those
 * after policy, or before it where the router does not send the view after policy.
 */
final class BirdwatcherQueries {
    private static final String TIME = "to_char(%s at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS')";

    /**
     * The peers of a router except for its Loc-RIB. Rows with the same id, which have had different BGP identifiers,
     * are one protocol. {@code exports} is the view of the routes that the router has sent to the peer.
     */
    private static final String PEER = """
            with peer as materialized (
              select p.peer_id, p.address, p.asn, p.bgp_id, p.table_name, s.*,
                'AS' || p.asn || '_' || translate(host(p.address), '.:', '__')
                  || case when p.peer_type = 0 then '' else '_' || bmp.distinguisher_text(p.distinguisher) end as id,
                bmp.is_monitored(p.peer_id, 1::smallint) as filters,
                case when bmp.is_monitored(p.peer_id, 3::smallint) then 'adj-rib-out-post'
                  when bmp.is_monitored(p.peer_id, 2::smallint) then 'adj-rib-out-pre' end as exports,
                exists (select from bmp.peer l where l.router_id = p.router_id and l.peer_type = 3
                  and bmp.is_monitored(l.peer_id, 4::smallint)) as selects
              from bmp.peer p join bmp.router r using (router_id) cross join lateral (
                select case when not bool_or(t.up) then 'down' when r.connected and bool_or(t.up and t.session_id = r.session_id)
                    then 'up' else 'stale' end as state,
                  max(t.up_at) as up_at, max(t.down_at) as down_at,
                  (array_agg(t.down_reason order by t.down_at desc nulls last))[1] as down_reason,
                  max(t.local_address) as local_address
                from bmp.peer_state t where t.peer_id = p.peer_id having count(*) > 0) s
              where r.name = ? and p.peer_type <> 3)
            """;

    private static final String ACCEPTED =
            "v.rib_view = case when p.filters then 'adj-rib-in-post' else 'adj-rib-in-pre' end";

    /** Numbers are strings where BIRD's text is not interpreted. Extended communities of other forms have no place. */
    private static final String ROUTE = """
            select json_strip_nulls(json_build_object('network', v.prefix, 'gateway', host(p.address), 'learnt_from', host(p.address),
              'from_protocol', p.id, 'age', %s, 'type', '["BGP", "univ"]'::json, 'primary',
              case when p.selects then exists (select from bmp.v_rib l where l.rib_view = 'loc-rib' and l.router = v.router
                and l.prefix = v.prefix and l.family = v.family and l.as_path is not distinct from v.as_path
                and l.next_hop is not distinct from v.next_hop) end,
              'bgp', json_build_object('origin', case v.origin when 'incomplete' then 'Incomplete' else upper(v.origin) end,
                'as_path', v.as_path_asns::text[], 'next_hop', host(v.next_hop), 'local_pref', v.local_pref::text,
                'med', v.med::text, 'otc', v.attributes->>'otc',
                'communities', (select json_agg(string_to_array(c, ':')::bigint[]) from unnest(v.communities) c),
                'large_communities', (select json_agg(string_to_array(c, ':')::bigint[]) from unnest(v.large_communities) c),
                'ext_communities', (select json_agg(string_to_array(c, ':')) from unnest(v.ext_communities) c
                  where c ~ '^[^:]+:[^:]+:[^:]+$'))))::text, ''
            """.formatted(TIME.formatted("v.last_changed"));

    private BirdwatcherQueries() {}

    /** Returns a query of one object, or of none if the router does not exist. */
    static SqlQuery status(String router) {
        return new SqlQuery().add("""
                        select json_strip_nulls(json_build_object('version', coalesce(r.sys_descr, r.sys_name), 'current_server', %s,
                          'router_id', (select min(host(v.peer_bgp_id)) from bmp.v_peers v
                            where v.router = r.router and v.peer_type = 'loc-rib' and v.state = 'up'),
                          'message', case r.state when 'connected' then 'BMP session is up'
                            else 'BMP session is down; routes are stale' end))::text, ''
                        from bmp.v_routers r where r.router = ?""".formatted(TIME.formatted("now()")), router);
    }

    static SqlQuery neighborStates(String router) {
        return new SqlQuery().add(PEER, router).add("""
                        , protocol as (select distinct on (p.id) p.* from peer p order by p.id, p.state = 'up' desc, p.up_at desc nulls last)
                        select coalesce(json_object_agg(p.id, json_strip_nulls(json_build_object('proto', 'BGP', 'table', p.table_name,
                          'state', p.state, 'since', %s))), '{}')::text, ''
                        from protocol p having exists (select from bmp.v_routers r where r.router = ?)""".formatted(since()), router);
    }

    static SqlQuery neighbors(String router) {
        return new SqlQuery().add(PEER, router).add("""
                        , counted as materialized (
                          select v.peer_id, v.rib_view, v.afi, count(*) as routes from bmp.v_rib v
                          where v.peer_id = any (array(select p.peer_id from peer p)) and v.safi = 1 group by 1, 2, 3),
                        channel as (
                          select p.id, 'ipv' || case n.afi when 1 then 4 else 6 end as name,
                            sum(n.routes) filter (where n.rib_view = case when p.filters then 'adj-rib-in-post' else 'adj-rib-in-pre' end) as imported,
                            case when bool_or(p.filters) then greatest(0, coalesce(sum(n.routes) filter (where n.rib_view = 'adj-rib-in-pre'), 0)
                              - coalesce(sum(n.routes) filter (where n.rib_view = 'adj-rib-in-post'), 0)) end as filtered,
                            sum(n.routes) filter (where n.rib_view = p.exports) as exported
                          from peer p join counted n using (peer_id) group by 1, 2),
                        protocol as (select distinct on (p.id) p.* from peer p order by p.id, p.state = 'up' desc, p.up_at desc nulls last)
                        select coalesce(json_object_agg(p.id, json_strip_nulls(json_build_object('bird_protocol', 'BGP',
                          'protocol', p.id, 'neighbor_address', host(p.address), 'neighbor_as', p.asn,
                          'neighbor_id', host(bmp.bgp_id_text(p.bgp_id)), 'source_address', host(p.local_address),
                          'table', p.table_name, 'description', 'AS' || p.asn || ' ' || host(p.address), 'state', p.state,
                          'state_changed', %s, 'last_error', case when p.state = 'down' then p.down_reason end,
                          'routes', (select json_build_object('imported', coalesce(sum(c.imported), 0), 'filtered', coalesce(sum(c.filtered), 0),
                            'exported', sum(c.exported)) from channel c where c.id = p.id),
                          'channels', (select json_object_agg(c.name, json_build_object('routes_count', json_build_object(
                            'imported', coalesce(c.imported, 0), 'filtered', coalesce(c.filtered, 0), 'exported', c.exported)))
                            from channel c where c.id = p.id)))), '{}')::text, ''
                        from protocol p
                        having exists (select from bmp.v_routers r where r.router = ?)""".formatted(since()), router);
    }

    private static String since() {
        return TIME.formatted("case when p.state = 'down' then p.down_at else p.up_at end");
    }

    /**
     * Returns a query of the routes that the router has accepted from a protocol.
     *
     * @param protocol null for all
     * @param condition further conditions, constant SQL
     */
    static SqlQuery accepted(String router, @Nullable String protocol, String condition) {
        return routes(router, protocol, ACCEPTED + condition);
    }

    /** Returns a query of the routes before policy that the router does not have after it. */
    static SqlQuery filtered(String router, @Nullable String protocol, String condition) {
        return routes(router, protocol, """
                p.filters and v.rib_view = 'adj-rib-in-pre' and not exists (select from bmp.v_rib q
                  where q.prefix = v.prefix and q.peer_id = v.peer_id and q.rib_view = 'adj-rib-in-post' and q.family = v.family
                    and q.path_id is not distinct from v.path_id)""" + condition);
    }

    private static SqlQuery routes(String router, @Nullable String protocol, String condition) {
        return new SqlQuery()
                .add(PEER, router)
                .add(ROUTE)
                .add("from bmp.v_rib v join peer p on p.peer_id = v.peer_id")
                .add(
                        "where v.peer_id = any (array(select n.peer_id from peer n where n.id = coalesce(?, n.id)))",
                        protocol)
                .add("and v.safi = 1 and v.prefix is not null and " + condition);
    }

    /**
     * Returns a query of the routes that the router has and has not sent to a protocol, neither this path nor another
     * of the prefix: of those that it has selected, or of all accepted ones if it does not report which it has
     * selected.
     */
    static SqlQuery notExported(String router, String protocol) {
        return new SqlQuery()
                .add(PEER, router)
                .add("select f.* from (")
                .add(ROUTE)
                .add("""
                        , p.selects, v.router, v.prefix, v.family, v.as_path, v.next_hop
                        from bmp.v_rib v join peer p on p.peer_id = v.peer_id
                        where v.peer_id = any (array(select n.peer_id from peer n where n.id <> ?))
                          and v.safi = 1 and v.prefix is not null and %s
                          and exists (select from peer n where n.id = ? and n.exports is not null)
                          and not exists (select from peer n join bmp.v_rib o on o.peer_id = n.peer_id and o.rib_view = n.exports
                            where n.id = ? and o.prefix = v.prefix and o.family = v.family)) f
                        where not f.selects or exists (select from bmp.v_rib l where l.rib_view = 'loc-rib' and l.router = f.router
                          and l.prefix = f.prefix and l.family = f.family and l.as_path is not distinct from f.as_path
                          and l.next_hop is not distinct from f.next_hop)""".formatted(ACCEPTED), protocol, protocol, protocol);
    }
}
