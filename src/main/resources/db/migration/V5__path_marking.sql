-- What routers say of a path beyond its attributes (draft-ietf-grow-bmp-path-marking-tlv): docs/bmp.md. Null where they say nothing,
-- 0 where they say that no status applies.
ALTER TABLE bmp.route_event ADD COLUMN path_status bigint, ADD COLUMN path_reason integer;
ALTER TABLE bmp.rib_route ADD COLUMN path_status bigint, ADD COLUMN path_reason integer;

-- The names of the bits that are set.
CREATE FUNCTION bmp.path_status_texts(status bigint) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN status IS NOT NULL THEN ARRAY(
    SELECT coalesce(('{invalid,best,non-selected,primary,backup,non-installed,best-external,add-path,filtered-inbound,'
        'filtered-outbound,stale,suppressed}'::text[])[bit + 1], 'status-' || bit)
    FROM generate_series(0, 31) bit WHERE status >> bit & 1 = 1 ORDER BY bit) END
$$;

CREATE FUNCTION bmp.path_reason_text(reason integer) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(('{invalid-as-loop,invalid-unresolvable-next-hop,not-preferred-local-pref,not-preferred-as-path-length,'
    'not-preferred-origin,not-preferred-med,not-preferred-peer-type,not-preferred-igp-cost,not-preferred-router-id,'
    'not-preferred-peer-address,not-preferred-aigp}'::text[])[reason], 'reason-' || reason)
$$;

CREATE OR REPLACE VIEW bmp.v_rib AS
SELECT r.name AS router, p.address AS peer_address, p.asn AS peer_asn, bmp.bgp_id_text(p.bgp_id) AS peer_bgp_id,
  bmp.peer_type_text(p.peer_type) AS peer_type, bmp.distinguisher_text(p.distinguisher) AS peer_distinguisher,
  p.table_name, bmp.rib_view_text(t.rib_view) AS rib_view,
  t.family >> 8 AS afi, t.family & 255 AS safi, bmp.family_text(t.family) AS family,
  CASE WHEN bmp.has_rd(t.family) THEN bmp.rd_text(t.rd) END AS rd,
  t.prefix, coalesce(t.nlri_as_text, bmp.nlri_text(t.family, t.rd, t.prefix, t.nlri)) AS nlri, nullif(t.path_id, -1) AS path_id,
  a.next_hop, a.origin, a.as_path, a.origin_asn, a.med, a.local_pref, a.communities, a.large_communities,
  a.ext_communities, t.labels, a.attributes,
  t.first_seen, t.last_changed,
  coalesce(NOT s.live OR s.session_id <> t.session_id, true) AS stale,
  t.session_id, t.peer_id, a.next_hop_link_local, a.as_path_asns,
  bmp.path_status_texts(t.path_status) AS path_status, bmp.path_reason_text(t.path_reason) AS path_reason
FROM (
    SELECT prefix, NULL::bytea AS nlri, rd, path_id, peer_id, family, rib_view, session_id, first_seen, last_changed, attr,
      labels, NULL::text AS nlri_as_text, path_status, path_reason
    FROM bmp.rib_route WHERE nlri = ''
  UNION ALL
    SELECT NULL, coalesce(long_nlri, nlri), rd, path_id, peer_id, family, rib_view, session_id, first_seen, last_changed,
      attr, labels, nlri_as_text, path_status, path_reason
    FROM bmp.rib_route WHERE nlri <> '') t
  LEFT JOIN bmp.peer p ON p.peer_id = t.peer_id
  LEFT JOIN bmp.router r ON r.router_id = p.router_id
  LEFT JOIN bmp.live_session s ON s.router_id = p.router_id
  LEFT JOIN bmp.attrs a ON a.h = t.attr;

CREATE OR REPLACE VIEW bmp.v_route_history AS
SELECT r.name AS router, p.address AS peer_address, p.asn AS peer_asn, bmp.bgp_id_text(p.bgp_id) AS peer_bgp_id,
  bmp.peer_type_text(p.peer_type) AS peer_type, bmp.distinguisher_text(p.distinguisher) AS peer_distinguisher,
  p.table_name, bmp.rib_view_text(e.rib_view) AS rib_view,
  e.family >> 8 AS afi, e.family & 255 AS safi, bmp.family_text(e.family) AS family,
  bmp.rd_text(e.rd) AS rd, e.prefix, coalesce(e.nlri_as_text, bmp.nlri_text(e.family, e.rd, e.prefix, e.nlri)) AS nlri, e.path_id,
  a.next_hop, a.origin, a.as_path, a.origin_asn, a.med, a.local_pref, a.communities, a.large_communities,
  a.ext_communities, e.labels, a.attributes,
  CASE e.action WHEN 1 THEN 'announce' ELSE 'withdraw' END AS event,
  e.synthetic, e.received_at, e.router_time, e.session_id, e.sequence,
  a.next_hop_link_local, a.as_path_asns,
  bmp.path_status_texts(e.path_status) AS path_status, bmp.path_reason_text(e.path_reason) AS path_reason
FROM bmp.route_event e
  LEFT JOIN bmp.peer p ON p.peer_id = e.peer_id
  LEFT JOIN bmp.router r ON r.router_id = p.router_id
  LEFT JOIN bmp.attrs a ON a.h = e.attr;
