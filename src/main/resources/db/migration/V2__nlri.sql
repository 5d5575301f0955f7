-- Canonical texts of the NLRI that are no prefix: docs/nlri.md. The station makes them; a row from before has none, and the
-- views show its bytes in hex, as they did.
ALTER TABLE bmp.route_event ADD COLUMN nlri_as_text text;
ALTER TABLE bmp.rib_route ADD COLUMN nlri_as_text text;

-- bmp.rib_route.nlri is from now on the part of the NLRI that tells the route from others. That is all of it but for EVPN,
-- where labels, gateways and often the ESI are attributes (RFC 7432, Section 7; RFC 9136, Section 3; RFC 9251, Section 9):
-- routes that the key of old kept apart become one, of which the newest stays. The key of those types: type, then
-- the fields that count.
CREATE FUNCTION pg_temp.evpn_key(nlri bytea) RETURNS bytea LANGUAGE sql IMMUTABLE AS $$
  SELECT substr(nlri, 1, 1) || CASE
    WHEN type = 1 AND length = 27 THEN substr(nlri, 3, 22)
    WHEN type = 2 AND length >= 35 THEN substr(nlri, 3, 8) || substr(nlri, 21, 12 + get_byte(nlri, 31) / 8)
    WHEN type = 5 AND length IN (36, 60) THEN substr(nlri, 3, 8) || substr(nlri, 21, CASE length WHEN 36 THEN 9 ELSE 21 END)
    WHEN type IN (6, 7) AND length > 3 THEN substr(nlri, 3, length - 3)
    WHEN type = 8 AND length > 8 THEN substr(nlri, 3, length - 8)
    ELSE substr(nlri, 2) END
  FROM (SELECT get_byte(nlri, 0) AS type, octet_length(nlri) AS length) facts
$$;

CREATE TEMPORARY TABLE evpn_route ON COMMIT DROP AS
SELECT DISTINCT ON (peer_id, rib_view, rd, path_id, pg_temp.evpn_key(nlri)) r.*, pg_temp.evpn_key(nlri) AS key
FROM bmp.rib_route r WHERE family = 6470 AND nlri <> ''
ORDER BY peer_id, rib_view, rd, path_id, pg_temp.evpn_key(nlri), session_id DESC, last_changed DESC;

DELETE FROM bmp.rib_route WHERE family = 6470 AND nlri <> '';

INSERT INTO bmp.rib_route (prefix, nlri, rd, path_id, peer_id, family, rib_view, session_id, first_seen, last_changed, attr,
  labels, long_nlri)
SELECT prefix, key, rd, path_id, peer_id, family, rib_view, session_id, first_seen, last_changed, attr, labels,
  coalesce(long_nlri, nlri)  -- for the views, until the route is heard again
FROM evpn_route;

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
  t.session_id, t.peer_id, a.next_hop_link_local, a.as_path_asns
FROM (
    SELECT prefix, NULL::bytea AS nlri, rd, path_id, peer_id, family, rib_view, session_id, first_seen, last_changed, attr,
      labels, NULL::text AS nlri_as_text
    FROM bmp.rib_route WHERE nlri = ''
  UNION ALL
    SELECT NULL, coalesce(long_nlri, nlri), rd, path_id, peer_id, family, rib_view, session_id, first_seen, last_changed,
      attr, labels, nlri_as_text
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
  a.next_hop_link_local, a.as_path_asns
FROM bmp.route_event e
  LEFT JOIN bmp.peer p ON p.peer_id = e.peer_id
  LEFT JOIN bmp.router r ON r.router_id = p.router_id
  LEFT JOIN bmp.attrs a ON a.h = e.attr;
