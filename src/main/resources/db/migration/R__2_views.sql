-- The views that users query: docs/how-to/query.md.

-- To build the attributes of a set takes as long as to read dozens of rows, but for the planner JSON functions cost
-- next to nothing: without this cost it builds those of all sets, again for each prefix of a page, instead of reading
-- the few that it needs by their keys. In PL/pgSQL, because an SQL function would be inlined and its cost lost.
CREATE OR REPLACE FUNCTION bmp.without_nulls(object jsonb) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE COST 400 AS $$
BEGIN
  RETURN jsonb_strip_nulls(object);
END $$;
COMMENT ON FUNCTION bmp.without_nulls IS 'Internal: an object without its fields that are null, as jsonb_strip_nulls returns it, with a cost that includes building the object';

-- Complete attribute sets. The table attribute_set contains each value once; this view restores the derived columns.
CREATE OR REPLACE VIEW bmp.path_attributes WITH (security_invoker = true) AS
SELECT attribute_hash, next_hop, next_hop_link_local, origin, as_path,
  coalesce(as_path_asns, string_to_array(as_path, ' ')::bigint[]) AS as_path_asns,
  origin_asn, med, local_pref, communities, large_communities, ext_communities,
  CASE WHEN origin IS NULL THEN attributes ELSE
    bmp.without_nulls(jsonb_build_object('origin', origin, 'as_path', as_path, 'next_hop', host(next_hop),
      'next_hop_link_local', host(next_hop_link_local), 'med', med, 'local_pref', local_pref, 'communities', communities,
      'large_communities', large_communities, 'ext_communities', ext_communities, 'originator_id', host(originator_id),
      'cluster_list', string_to_array(cluster_list, ' '))) || coalesce(attributes, '{}') END AS attributes,
  raw
FROM bmp.attribute_set;

CREATE OR REPLACE FUNCTION bmp.router_flaps(in_router_id integer, until timestamptz) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT count(*) FROM bmp.peer_event v
  WHERE v.router_id = in_router_id AND v.event = 'session-down' AND v.received_at <= until
    AND v.received_at > until - interval '24 hours'
$$;
COMMENT ON FUNCTION bmp.router_flaps IS 'Internal: the number of sessions of a router that ended within the 24 hours before a time';

CREATE OR REPLACE FUNCTION bmp.peer_flaps(in_router_id integer, in_peer_type smallint, in_distinguisher bigint,
  in_address inet, in_bgp_id bigint, in_rib_view smallint, until timestamptz) RETURNS bigint LANGUAGE sql STABLE AS $$
  -- A Peer Down of a view that was not up does not count: FRR begins each session with one for each such peer.
  SELECT count(*) FROM bmp.peer_event v
  WHERE v.router_id = in_router_id AND v.event = 'peer-down' AND v.address = in_address AND v.received_at <= until
    AND v.received_at > until - interval '24 hours' AND v.peer_type = in_peer_type
    AND v.distinguisher = in_distinguisher AND (v.bgp_id = in_bgp_id OR v.bgp_id = 0)
    AND ((v.detail->>'all_views')::boolean IS NOT FALSE OR v.rib_view = in_rib_view)
    AND (v.detail->>'known')::boolean IS NOT FALSE AND (v.detail->>'repeated')::boolean IS NOT TRUE
    AND NOT v.detail ? 'redecoded'
$$;
COMMENT ON FUNCTION bmp.peer_flaps IS 'Internal: the number of times that a view of a peer went down within the 24 hours before a time';

CREATE OR REPLACE VIEW bmp.v_routers WITH (security_invoker = true) AS
SELECT name AS router, address, sys_name, sys_descr,
  CASE WHEN connected THEN 'connected' ELSE 'disconnected' END AS state,
  connected_at, disconnected_at, session_id, name_source, bmp.router_flaps(router_id, now()) AS flaps
FROM bmp.router
WHERE session_id IS NOT NULL;  -- excludes routers whose sessions were all rejected

CREATE OR REPLACE VIEW bmp.v_peers WITH (security_invoker = true) AS
SELECT r.name AS router, p.address AS peer_address, p.asn AS peer_asn, bmp.bgp_id_text(p.bgp_id) AS peer_bgp_id,
  bmp.peer_type_text(p.peer_type) AS peer_type, bmp.distinguisher_text(p.distinguisher) AS peer_distinguisher,
  p.table_name, bmp.rib_view_text(s.rib_view) AS rib_view,
  CASE WHEN NOT s.up THEN 'down' WHEN NOT r.connected OR r.session_id <> s.session_id THEN 'stale'
    WHEN s.announced THEN 'up' ELSE 'unannounced' END AS state,
  s.up_at, s.down_at, s.down_reason, s.capabilities,
  s.local_address, s.local_port, s.remote_port, s.session_id, s.decode,
  ARRAY(SELECT CASE WHEN e.family = 0 THEN 'all' ELSE bmp.family_text(e.family) END FROM bmp.rib_end_of_rib e
    WHERE e.peer_id = s.peer_id AND e.rib_view = s.rib_view AND e.session_id >= r.session_id
    ORDER BY e.family) AS synchronized_families,
  bmp.peer_flaps(p.router_id, p.peer_type, p.distinguisher, p.address, p.bgp_id, s.rib_view, now()) AS flaps
FROM bmp.peer_state s JOIN bmp.peer p USING (peer_id) JOIN bmp.router r USING (router_id);

-- The ids of the routes that the live sessions of their routers have confirmed. PL/pgSQL with a low estimate of rows,
-- so that the planner evaluates it once and hashes the result whatever its size.
CREATE OR REPLACE FUNCTION bmp.confirmed_route_ids() RETURNS SETOF bigint LANGUAGE plpgsql STABLE ROWS 1000 AS $$
BEGIN
  RETURN QUERY SELECT unnest(c.route_ids) FROM bmp.rib_confirmed c JOIN bmp.peer p USING (peer_id)
    JOIN bmp.live_session l ON l.router_id = p.router_id AND l.session_id = c.session_id;
END $$;
COMMENT ON FUNCTION bmp.confirmed_route_ids IS 'Internal: the ids of the routes that the live sessions of their routers have confirmed';

-- The current state. Outer joins, so that a query that does not select a table's columns does not read the table; two
-- branches, so that a condition on the prefix reaches the primary key. Rows of ended generations are hidden until they
-- are removed.
CREATE OR REPLACE VIEW bmp.v_rib WITH (security_invoker = true) AS
SELECT r.name AS router, p.address AS peer_address, p.asn AS peer_asn, bmp.bgp_id_text(p.bgp_id) AS peer_bgp_id,
  bmp.peer_type_text(p.peer_type) AS peer_type, bmp.distinguisher_text(p.distinguisher) AS peer_distinguisher,
  p.table_name, bmp.rib_view_text(t.rib_view) AS rib_view,
  t.family >> 8 AS afi, t.family & 255 AS safi, bmp.family_text(t.family) AS family,
  CASE WHEN bmp.has_rd(t.family) THEN bmp.rd_text(t.rd) END AS rd,
  t.prefix, coalesce(t.nlri_as_text, bmp.nlri_text(t.family, t.rd, t.prefix, t.nlri)) AS nlri, nullif(t.path_id, -1) AS path_id,
  a.next_hop, a.origin, a.as_path, a.origin_asn, a.med, a.local_pref, a.communities, a.large_communities,
  a.ext_communities, t.labels, a.attributes,
  t.first_seen, t.last_changed,
  CASE WHEN s.live IS NOT TRUE OR s.incomplete THEN true
    WHEN t.session_id >= s.session_id OR y.session_id >= s.session_id THEN false
    ELSE t.route_id NOT IN (SELECT bmp.confirmed_route_ids()) END AS stale,
  greatest(t.session_id, y.session_id) AS session_id, t.peer_id, a.next_hop_link_local, a.as_path_asns,
  bmp.path_status_texts(t.path_status) AS path_status, bmp.path_reason_text(t.path_reason) AS path_reason,
  coalesce(greatest(f.session_id, g.session_id) >= s.session_id, false) AS table_synchronized
FROM (
    SELECT prefix, NULL::bytea AS nlri, rd, path_id, peer_id, family, rib_view, session_id, first_seen, last_changed,
      attribute_hash, labels, NULL::text AS nlri_as_text, path_status, path_reason, route_id, generation
    FROM bmp.rib_route WHERE nlri = ''
  UNION ALL
    SELECT NULL, coalesce(long_nlri, nlri), rd, path_id, peer_id, family, rib_view, session_id, first_seen, last_changed,
      attribute_hash, labels, nlri_as_text, path_status, path_reason, route_id, generation
    FROM bmp.rib_route WHERE nlri <> '') t
  LEFT JOIN bmp.peer p ON p.peer_id = t.peer_id
  LEFT JOIN bmp.router r ON r.router_id = p.router_id
  LEFT JOIN bmp.live_session s ON s.router_id = p.router_id
  LEFT JOIN bmp.rib_sync y ON y.peer_id = t.peer_id AND y.rib_view = t.rib_view AND y.family = t.family
  LEFT JOIN bmp.rib_end_of_rib f ON f.peer_id = t.peer_id AND f.rib_view = t.rib_view AND f.family = t.family
  LEFT JOIN bmp.rib_end_of_rib g ON g.peer_id = t.peer_id AND g.rib_view = t.rib_view AND g.family = 0
  LEFT JOIN bmp.path_attributes a ON a.attribute_hash = t.attribute_hash
WHERE NOT EXISTS (
  SELECT FROM bmp.rib_ended e
  WHERE e.peer_id = t.peer_id AND e.rib_view = t.rib_view AND e.generation = t.generation);

CREATE OR REPLACE VIEW bmp.v_route_history WITH (security_invoker = true) AS
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
  LEFT JOIN bmp.path_attributes a ON a.attribute_hash = e.attribute_hash;

CREATE OR REPLACE VIEW bmp.v_peer_events WITH (security_invoker = true) AS
SELECT r.name AS router, e.address AS peer_address, e.asn AS peer_asn, bmp.bgp_id_text(e.bgp_id) AS peer_bgp_id,
  bmp.peer_type_text(e.peer_type) AS peer_type, bmp.distinguisher_text(e.distinguisher) AS peer_distinguisher,
  e.table_name, bmp.rib_view_text(e.rib_view) AS rib_view,
  e.event, e.reason_code, e.reason, e.received_at, e.router_time, e.session_id, e.sequence, e.detail
FROM bmp.peer_event e JOIN bmp.router r USING (router_id);

CREATE OR REPLACE VIEW bmp.v_stats WITH (security_invoker = true) AS
SELECT r.name AS router, s.address AS peer_address, s.asn AS peer_asn, bmp.bgp_id_text(s.bgp_id) AS peer_bgp_id,
  bmp.peer_type_text(s.peer_type) AS peer_type, bmp.distinguisher_text(s.distinguisher) AS peer_distinguisher,
  bmp.rib_view_text(s.rib_view) AS rib_view,
  s.type, s.name, s.afi, s.safi, s.value, s.received_at, s.router_time, s.session_id, s.sequence, s.raw
FROM bmp.statistic s JOIN bmp.router r USING (router_id);

CREATE OR REPLACE VIEW bmp.v_mirror WITH (security_invoker = true) AS
SELECT r.name AS router, m.address AS peer_address, m.asn AS peer_asn, bmp.bgp_id_text(m.bgp_id) AS peer_bgp_id,
  bmp.peer_type_text(m.peer_type) AS peer_type, bmp.distinguisher_text(m.distinguisher) AS peer_distinguisher,
  bmp.rib_view_text(m.rib_view) AS rib_view,
  m.type, m.name, m.bytes, m.received_at, m.router_time, m.session_id, m.sequence, m.ordinal
FROM bmp.mirrored_message m JOIN bmp.router r USING (router_id);

CREATE OR REPLACE VIEW bmp.v_quarantine WITH (security_invoker = true) AS
SELECT r.name AS router, q.address AS peer_address, q.asn AS peer_asn, bmp.bgp_id_text(q.bgp_id) AS peer_bgp_id,
  bmp.peer_type_text(q.peer_type) AS peer_type, bmp.distinguisher_text(q.distinguisher) AS peer_distinguisher,
  bmp.rib_view_text(q.rib_view) AS rib_view,
  q.message_type, q.reason, q.rfc_section, q.byte_offset, q.bytes,
  q.received_at, q.router_time, q.session_id, q.sequence, q.kafka_record,
  CASE WHEN q.redecoded_at IS NULL THEN 'open' ELSE 'redecoded' END AS state, q.redecoded_at, q.id
FROM bmp.quarantine q LEFT JOIN bmp.router r USING (router_id);

CREATE OR REPLACE VIEW bmp.v_alerts WITH (security_invoker = true) AS
SELECT a.alert_id, a.record->>'rule' AS rule, CASE WHEN a.closed_at IS NULL THEN 'open' ELSE 'closed' END AS state,
  (a.record->>'prefix')::cidr AS prefix, (a.record->>'monitored_prefix')::cidr AS monitored_prefix,
  a.record->>'description' AS description, a.record->>'group' AS alert_group, a.record->>'condition' AS condition,
  (a.record->>'threshold')::integer AS threshold, (a.record->>'vantage_points')::integer AS vantage_points,
  a.opened_at, a.notified_at, a.closed_at, a.record->'evidence' AS evidence, a.record->'suppressed_by' AS suppressed_by,
  a.record->>'router' AS router, (a.record->>'peer_address')::inet AS peer_address, (a.record->>'peer_asn')::bigint AS peer_asn,
  a.record->>'rib_view' AS rib_view, a.record->>'family' AS family
FROM bmp.alert a;

-- What the routes of recovery.camel.yaml read.
CREATE OR REPLACE VIEW bmp.incomplete_session WITH (security_invoker = true) AS
SELECT r.name AS router, l.session_id
FROM bmp.live_session l JOIN bmp.router r USING (router_id)
WHERE l.incomplete AND l.live;

-- The newest session of a router is over, and the router has an older one with another collector. What the router has
-- changed meanwhile is known only from a session that begins now.
CREATE OR REPLACE VIEW bmp.remaining_session WITH (security_invoker = true) AS
SELECT r.name AS router, max(o.session_id) AS session_id
FROM bmp.router r JOIN bmp.open_session o USING (router_id)
WHERE NOT r.connected AND o.session_id < r.session_id
GROUP BY r.name;

CREATE OR REPLACE VIEW bmp.resync_candidate WITH (security_invoker = true) AS
SELECT router, session_id, 'incomplete' AS reason FROM bmp.incomplete_session
UNION ALL
SELECT router, session_id, 'remaining' FROM bmp.remaining_session;

CREATE OR REPLACE VIEW bmp.collector_report WITH (security_invoker = true) AS
SELECT c.name, c.session_id, c.alive_at::text AS alive_at, c.alive_session_id,
  (SELECT max(o.session_id) FROM bmp.open_session o WHERE o.collector = c.name) AS newest_session
FROM bmp.collector c;

CREATE OR REPLACE FUNCTION bmp.lookup(address inet) RETURNS SETOF bmp.v_rib LANGUAGE sql STABLE AS $$
  SELECT (match).* FROM (
    SELECT v AS match, rank() OVER (PARTITION BY v.peer_id, v.rib_view ORDER BY masklen(v.prefix) DESC) AS position
    FROM bmp.v_rib v
    WHERE v.prefix = ANY (bmp.covering(address)) AND v.safi IN (1, 4)) m
  WHERE position = 1
$$;
COMMENT ON FUNCTION bmp.lookup IS 'The longest match for an address or prefix in each peer''s view, with all its paths. Unicast and labeled unicast only: in a VPN an address means nothing without its route distinguisher, so query v_rib by rd there';

COMMENT ON VIEW bmp.incomplete_session IS 'Internal: the live sessions of routers of which records are missing';
COMMENT ON VIEW bmp.remaining_session IS 'Internal: the newest open session of routers whose newest session is over';
COMMENT ON VIEW bmp.resync_candidate IS 'Internal: the sessions that are to be ended so that their routers send their tables again';
COMMENT ON VIEW bmp.collector_report IS 'Internal: when each collector has last reported that it runs, the start that it reported, and its newest open session';
COMMENT ON VIEW bmp.path_attributes IS 'Internal: complete attribute sets. The table attribute_set contains each value once; this view restores the derived columns';
COMMENT ON VIEW bmp.v_routers IS 'Monitored routers and the state of their sessions';
COMMENT ON VIEW bmp.v_peers IS 'BGP peers of the routers, one row per peer and RIB view that came up';
COMMENT ON VIEW bmp.v_rib IS 'Current routes';
COMMENT ON VIEW bmp.v_route_history IS 'Announcements and withdrawals';
COMMENT ON VIEW bmp.v_peer_events IS 'Session and peer events';
COMMENT ON VIEW bmp.v_stats IS 'Statistics Reports, one row per counter or gauge';
COMMENT ON VIEW bmp.v_mirror IS 'Mirrored BGP messages';
COMMENT ON VIEW bmp.v_alerts IS 'Alerts on routes, tables, peers and routers';
COMMENT ON VIEW bmp.v_quarantine IS 'Messages and records that could not be used';

-- The comments of the views' columns. A column that means the same in all views is described once; the second list has
-- those that mean something else in one view.
DO $$
DECLARE
  c record;
BEGIN
  FOR c IN
    WITH common (name, comment) AS (VALUES
      ('router', 'Name of the monitored router'),
      ('peer_address', 'Address of the peer; the unspecified address for Loc-RIB'),
      ('peer_asn', 'AS number of the peer'),
      ('peer_bgp_id', 'BGP identifier of the peer'),
      ('peer_type', 'global, rd, local or loc-rib (RFC 7854, Section 4.2; RFC 9069)'),
      ('peer_distinguisher', 'Peer distinguisher as 16 hexadecimal digits; zeros for peers of type global'),
      ('table_name', 'VRF or table name that the router has sent for the peer; null without'),
      ('rib_view', 'adj-rib-in-pre, adj-rib-in-post, adj-rib-out-pre, adj-rib-out-post or loc-rib'),
      ('afi', 'Address family identifier'),
      ('safi', 'Subsequent address family identifier'),
      ('family', 'Name of the address family, such as ipv4-unicast, vpnv4 or evpn'),
      ('rd', 'Route distinguisher, such as 64500:1; null in families without one'),
      ('prefix', 'IP prefix; null in families whose NLRI is not a prefix'),
      ('nlri', 'Canonical text of the NLRI, in every family'),
      ('path_id', 'Path identifier (RFC 7911); null without ADD-PATH'),
      ('next_hop', 'Next hop'),
      ('next_hop_link_local', 'Link-local next hop of IPv6 (RFC 2545)'),
      ('origin', 'igp, egp or incomplete'),
      ('as_path', 'AS path as text: sets in braces, confederation segments in parentheses'),
      ('as_path_asns', 'All AS numbers of the AS path, in order'),
      ('origin_asn', 'Last AS number of the AS path; null if the path is empty or ends with a set'),
      ('med', 'MULTI_EXIT_DISC'),
      ('local_pref', 'LOCAL_PREF'),
      ('communities', 'Communities, such as 64500:1'),
      ('large_communities', 'Large communities, such as 64500:1:2'),
      ('ext_communities', 'Extended communities, such as rt:64500:1'),
      ('labels', 'MPLS labels'),
      ('attributes', 'All path attributes as JSON (docs/reference/attributes.md)'),
      ('attribute_hash', 'Hash that identifies the attribute set'),
      ('path_status', 'Path marking: names of the status bits; null without marking'),
      ('path_reason', 'Path marking: name of the reason; null without'),
      ('received_at', 'When the station received the message, by its own clock'),
      ('router_time', 'Time in the message, by the router''s clock; null if it has none or an invalid one'),
      ('session_id', 'BMP session of the message; ids increase with time'),
      ('sequence', 'Position of the event in its session'),
      ('first_seen', 'When the route was first announced, by the station''s clock'),
      ('last_changed', 'When the route last changed, by the station''s clock'),
      ('stale', 'True if the router is disconnected, or its current session has not announced the route again yet'),
      ('table_synchronized', 'True if the End-of-RIB of the table (peer, view and family) has arrived in the newest session of the router, since the newest Peer Down of the peer; with a time, whether that was so then, and null if it is unknown'),
      ('synchronized_families', 'Families of the view whose End-of-RIB has arrived in the newest session of the router, since the newest Peer Down; all if one stood for all of them; null where the time is in the past'),
      ('peer_id', 'Number of the peer in this database'),
      ('raw', 'The bytes as received'),
      ('event', 'announce or withdraw'),
      ('synthetic', 'True for a withdrawal that the station has generated'),
      ('address', 'Address of the newest session'),
      ('sys_name', 'sysName that the router has sent'),
      ('sys_descr', 'sysDescr that the router has sent'),
      ('connected_at', 'Beginning of the newest session'),
      ('disconnected_at', 'End of the newest session; null while it is open'),
      ('up_at', 'Newest Peer Up'),
      ('down_at', 'Newest Peer Down'),
      ('down_reason', 'Reason of the newest Peer Down'),
      ('capabilities', 'Capabilities of both OPEN messages as JSON'),
      ('local_address', 'Local address of the BGP session'),
      ('local_port', 'Local port of the BGP session'),
      ('remote_port', 'Remote port of the BGP session'),
      ('decode', 'How UPDATEs are decoded where that differs from the OPEN messages; null where nothing differs'),
      ('reason_code', 'Code of the reason, as in the message'),
      ('reason', 'Reason as text'),
      ('detail', 'All other fields of the record (docs/reference/bmp.md)'),
      ('bytes', 'The message as received'),
      ('ordinal', 'Position within the message, from 0'),
      ('value', 'Value of the counter or gauge; null if it has another format, see raw'),
      ('message_type', 'Type of the BMP message'),
      ('rfc_section', 'Section of the RFC that the message violates'),
      ('byte_offset', 'Offset of the error in the message'),
      ('kafka_record', 'Topic, partition and offset of the record that contains the message'),
      ('redecoded_at', 'When the message was decoded successfully afterwards'),
      ('alert_id', 'Identifies the alert'),
      ('rule', 'origin-change, more-specific, new-prefix, unlisted-prefix, visibility-loss, as-path, rpki-invalid, rpki-invalid-accepted, aspa-invalid-accepted, new-upstream, new-downstream, otc-leak, path-leak, router-gone, peer-gone, table-size, table-divergence or quarantine-growth'),
      ('monitored_prefix', 'Prefix of the entry in the rules; null if the alert is about a monitored AS'),
      ('description', 'Description of the entry'),
      ('alert_group', 'Group of the entry'),
      ('condition', 'The condition as a sentence'),
      ('threshold', 'Number of vantage points that raise the alert'),
      ('vantage_points', 'Number of vantage points in the newest record of the alert'),
      ('opened_at', 'Time of the event that opened the alert'),
      ('notified_at', 'Newest notification'),
      ('closed_at', 'Time of the event that closed the alert; null while it is open'),
      ('evidence', 'One event for each vantage point, as JSON'),
      ('suppressed_by', 'Settings with which there would be no alert, as JSON'),
      ('id', 'Number of the quarantined message')),
    special (relation, name, comment) AS (VALUES
      ('v_routers', 'state', 'connected or disconnected'),
      ('v_routers', 'session_id', 'The newest session'),
      ('v_routers', 'name_source', 'Where the newest session had the name from: configured, certificate, sys-name, bgp-id, address or disambiguated'),
      ('v_routers', 'flaps', 'Number of sessions that ended within the last 24 hours; with a time, within the 24 hours before it'),
      ('v_peers', 'flaps', 'Number of times that the view went down within the last 24 hours; with a time, within the 24 hours before it'),
      ('v_peers', 'state', 'up, down, stale (the router is disconnected or has not reported the peer in its newest session) or unannounced (routes arrived without a Peer Up)'),
      ('v_peers', 'session_id', 'Session of the newest event of the peer'),
      ('v_rib', 'session_id', 'The newest session that has announced or confirmed the route'),
      ('v_peer_events', 'event', 'session-up, session-down, initiation, termination, peer-up, peer-down and others'),
      ('v_stats', 'type', 'Type of the statistic (IANA registry BMP Statistics Types)'),
      ('v_stats', 'name', 'Name of the statistic; null for an unknown type'),
      ('v_mirror', 'type', 'Type of the TLV'),
      ('v_mirror', 'name', 'Name of the TLV or of its information code'),
      ('v_alerts', 'state', 'open or closed'),
      ('v_alerts', 'prefix', 'Prefix that the alert is about; null if it is about a router, a peer or a table'),
      ('v_alerts', 'router', 'Router that the alert is about, or that of the peer or table; null if it is about a prefix'),
      ('v_alerts', 'peer_address', 'Address of the peer that the alert is about, or that of the table; null if it is about a prefix, a router or all peers of one'),
      ('v_alerts', 'peer_asn', 'AS number of that peer'),
      ('v_alerts', 'rib_view', 'RIB view of the table that the alert is about; null if it is not about a table'),
      ('v_alerts', 'family', 'Family of that table'),
      ('v_quarantine', 'state', 'open or redecoded'),
      ('incomplete_session', 'session_id', 'The live session of the router'),
      ('collector_report', 'name', 'Name of the collector'),
      ('collector_report', 'session_id', 'Sessions of the collector with a smaller id have ended'),
      ('collector_report', 'alive_at', 'When the collector has last reported, by the clock of the database, as text'),
      ('collector_report', 'alive_session_id', 'Beginning of the run that has reported; null if none has'),
      ('remaining_session', 'session_id', 'The session to be ended'),
      ('resync_candidate', 'session_id', 'The session to be ended'),
      ('resync_candidate', 'reason', 'incomplete: records of the session are missing; remaining: the newest session of the router is over, and this one is open'),
      ('collector_report', 'newest_session', 'Newest session that the collector has open'))
    SELECT v.relname AS view, a.attname AS name, coalesce(s.comment, m.comment) AS comment
    FROM pg_class v JOIN pg_attribute a ON a.attrelid = v.oid AND a.attnum > 0
      LEFT JOIN common m ON m.name = a.attname
      LEFT JOIN special s ON s.relation = v.relname AND s.name = a.attname
    WHERE v.relnamespace = 'bmp'::regnamespace AND v.relkind = 'v'
  LOOP
    EXECUTE format('COMMENT ON COLUMN bmp.%I.%I IS %L', c.view, c.name, c.comment);
  END LOOP;
END $$;
