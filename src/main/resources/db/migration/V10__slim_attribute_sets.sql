-- An attribute set says each thing once (ADR 16). What other columns of bmp.attrs say is left out of it from now on: of
-- as_path_asns, where the path is a plain sequence and its text has the same numbers, and of attributes, which has only what
-- there is no column for, and is null where there is nothing. A set without ORIGIN has all of its attributes there; one that
-- could not be read has none. Rows from before have everything, and stay as they are. Half as large, and less to be parsed.
ALTER TABLE bmp.attrs
  ADD COLUMN originator_id inet,
  ADD COLUMN cluster_list text;                -- addresses, separated by blanks
ALTER TABLE bmp.attrs SET (fillfactor = 95);  -- room for as many rows as before

-- The whole sets, for whoever reads them.
CREATE VIEW bmp.path_attributes AS
SELECT h, next_hop, next_hop_link_local, origin, as_path,
  coalesce(as_path_asns, string_to_array(as_path, ' ')::bigint[]) AS as_path_asns,
  origin_asn, med, local_pref, communities, large_communities, ext_communities,
  CASE WHEN origin IS NULL THEN attributes ELSE
    jsonb_strip_nulls(jsonb_build_object('origin', origin, 'as_path', as_path, 'next_hop', host(next_hop),
      'next_hop_link_local', host(next_hop_link_local), 'med', med, 'local_pref', local_pref, 'communities', communities,
      'large_communities', large_communities, 'ext_communities', ext_communities, 'originator_id', host(originator_id),
      'cluster_list', string_to_array(cluster_list, ' '))) || coalesce(attributes, '{}') END AS attributes,
  raw
FROM bmp.attrs;

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
  CASE WHEN s.live IS NOT TRUE THEN true
    WHEN t.session_id >= s.session_id OR y.session_id >= s.session_id THEN false
    ELSE t.route_id NOT IN (SELECT bmp.confirmed_routes()) END AS stale,
  greatest(t.session_id, y.session_id) AS session_id, t.peer_id, a.next_hop_link_local, a.as_path_asns,
  bmp.path_status_texts(t.path_status) AS path_status, bmp.path_reason_text(t.path_reason) AS path_reason
FROM (
    SELECT prefix, NULL::bytea AS nlri, rd, path_id, peer_id, family, rib_view, session_id, first_seen, last_changed, attr,
      labels, NULL::text AS nlri_as_text, path_status, path_reason, route_id, generation
    FROM bmp.rib_route WHERE nlri = ''
  UNION ALL
    SELECT NULL, coalesce(long_nlri, nlri), rd, path_id, peer_id, family, rib_view, session_id, first_seen, last_changed,
      attr, labels, nlri_as_text, path_status, path_reason, route_id, generation
    FROM bmp.rib_route WHERE nlri <> '') t
  LEFT JOIN bmp.peer p ON p.peer_id = t.peer_id
  LEFT JOIN bmp.router r ON r.router_id = p.router_id
  LEFT JOIN bmp.live_session s ON s.router_id = p.router_id
  LEFT JOIN bmp.rib_sync y ON y.peer_id = t.peer_id AND y.rib_view = t.rib_view AND y.family = t.family
  LEFT JOIN bmp.path_attributes a ON a.h = t.attr
WHERE NOT EXISTS (
  SELECT FROM bmp.rib_ended e
  WHERE e.peer_id = t.peer_id AND e.rib_view = t.rib_view AND e.generation = t.generation);

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
  LEFT JOIN bmp.path_attributes a ON a.h = e.attr;
