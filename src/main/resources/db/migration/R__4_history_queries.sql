-- Queries about the past, comparisons and reconciliation: docs/how-to/query.md has an example of each and states what
-- they cost. Most are a single SELECT in LANGUAGE sql, so that PostgreSQL inlines them into the calling query: a
-- condition on the result reaches the tables' indexes. Parameters of internal functions that would be ambiguous with
-- columns begin with in_.

-- Building blocks -----------------------------------------------------------------------------------------------------

CREATE OR REPLACE FUNCTION bmp.snapshot_for(ts timestamptz) RETURNS timestamptz LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
DECLARE
  found timestamptz := (SELECT max(snapshot_at) FROM bmp.snapshot WHERE snapshot_at <= ts);
  horizon timestamptz;
BEGIN
  IF found IS NULL AND ts IS NOT NULL THEN
    SELECT min(snapshot_at) INTO horizon FROM bmp.snapshot WHERE history_purged;
    IF horizon IS NOT NULL THEN
      RAISE invalid_parameter_value USING MESSAGE = format('the history begins at %s; %s is before that', horizon, ts),
        HINT = 'silkroute.history.retention sets how long it is kept';
    END IF;
  END IF;
  RETURN coalesce(found, '-infinity');
END $$;
COMMENT ON FUNCTION bmp.snapshot_for IS 'Internal: the snapshot at which to begin for a time; -infinity if the history goes back to the beginning';

CREATE OR REPLACE FUNCTION bmp.peer_ids(in_router text, in_peer_address inet) RETURNS integer[]
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT coalesce(array_agg(p.peer_id), '{}') FROM bmp.peer p JOIN bmp.router r USING (router_id)
  WHERE (in_router IS NULL OR r.name = in_router) AND (in_peer_address IS NULL OR p.address = in_peer_address)
$$;
COMMENT ON FUNCTION bmp.peer_ids IS 'Internal: the ids of the peers that match; null matches any router or any address';

-- A withdrawal that the station generates, as a row of route_event. The station's other SQL and its Java code use this
-- function, so that the columns of such a row are listed once. It has no FROM and is inlined: a call costs nothing per
-- row.
CREATE OR REPLACE FUNCTION bmp.synthetic_withdrawal(in_received_at timestamptz, in_session_id bigint, in_sequence bigint,
  in_path_id bigint, in_rd bigint, in_peer_id integer, in_family integer, in_rib_view smallint, in_prefix cidr,
  in_nlri bytea, in_nlri_as_text text) RETURNS SETOF bmp.event LANGUAGE sql STABLE PARALLEL SAFE ROWS 1 AS $$
  SELECT in_received_at, NULL::timestamptz, in_session_id, in_sequence, in_path_id, in_rd, in_peer_id, in_family, in_rib_view,
    0::smallint, true, NULL::uuid, in_prefix, in_nlri, NULL::integer[], in_nlri_as_text, NULL::bigint, NULL::integer
$$;
COMMENT ON FUNCTION bmp.synthetic_withdrawal IS 'Internal: a withdrawal that the station generates, as a row of route_event';

-- Withdrawals of routes whose generation has ended, as far as they are not in route_event yet; exactly as they will be.
-- A prefix of null returns all. Without OFFSET 0 the planner may read all routes to find that there are none, which is
-- the usual case.
CREATE OR REPLACE FUNCTION bmp.pending_withdrawals(in_prefix cidr) RETURNS SETOF bmp.event
LANGUAGE sql STABLE PARALLEL SAFE ROWS 1000 AS $$
  SELECT w.*
  FROM bmp.rib_ended d
    CROSS JOIN LATERAL (SELECT * FROM bmp.rib_route q
      WHERE (q.peer_id::bigint << 3 | q.rib_view) = (d.peer_id::bigint << 3 | d.rib_view) AND q.generation = d.generation
        AND (in_prefix IS NULL OR q.prefix = in_prefix AND q.nlri = '') OFFSET 0) r
    CROSS JOIN LATERAL bmp.synthetic_withdrawal(d.received_at, d.session_id, d.sequence, nullif(r.path_id, -1),
      CASE WHEN bmp.has_rd(r.family) THEN r.rd END, d.peer_id, r.family, d.rib_view, CASE WHEN r.nlri = '' THEN r.prefix END,
      CASE WHEN r.nlri <> '' THEN coalesce(r.long_nlri, r.nlri) END, r.nlri_as_text) w
$$;
COMMENT ON FUNCTION bmp.pending_withdrawals IS 'Internal: withdrawals of routes whose generation has ended, as far as they are not in route_event yet; exactly as they will be';

CREATE OR REPLACE FUNCTION bmp.snapshot_events(in_snapshot_at timestamptz) RETURNS SETOF bmp.event
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT received_at, router_time, session_id, sequence, path_id, rd, peer_id, family, rib_view, 1::smallint, false,
    attribute_hash, prefix, nlri, labels, nlri_as_text, path_status, path_reason
  FROM bmp.route_snapshot WHERE snapshot_at = in_snapshot_at
$$;
COMMENT ON FUNCTION bmp.snapshot_events IS 'Internal: the routes of a snapshot, each as the announcement that made it so';

-- Indexes on the prefix of the parts of an open day that are over: a first part and a second one that follows it. Their
-- names contain the times from which and until which they reach. While an index takes the place of others, both exist.
DROP FUNCTION IF EXISTS bmp.open_day_indexes();
CREATE OR REPLACE FUNCTION bmp.open_day_indexes() RETURNS TABLE (
  day date, name text, indexed_from timestamptz, indexed_until timestamptz, valid boolean, events real) LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT to_date(m.part[1], 'YYYYMMDD'), c.relname::text, coalesce((m.part[1] || 'T' || m.part[2] || 'Z')::timestamptz, '-infinity'),
    (m.part[1] || 'T' || m.part[3] || 'Z')::timestamptz, i.indisvalid, c.reltuples
  FROM pg_class c JOIN pg_index i ON i.indexrelid = c.oid,
    LATERAL regexp_match(c.relname, '^route_event_([0-9]{8})(?:_from_([0-9]{6}))?_until_([0-9]{6})$') m (part)
  WHERE c.relnamespace = 'bmp'::regnamespace AND m.part IS NOT NULL
$$;
COMMENT ON FUNCTION bmp.open_day_indexes IS 'Internal: the indexes of days that are not over, each with the times from which (-infinity for the first part of a day) and until which it contains events, and an estimate of their number';

-- The two times are IMMUTABLE, so that the planner replaces them by constants, from which it concludes that the indexes
-- contain all rows. Their results do change, but any results are right: they determine only how rows are found. Cached
-- plans do not become slow either, because a new index makes PostgreSQL plan again.
CREATE OR REPLACE FUNCTION bmp.first_part_until() RETURNS timestamptz LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN coalesce((SELECT max(i.indexed_until) FROM bmp.open_day_indexes() i WHERE i.valid AND i.indexed_from = '-infinity'), 'infinity');
END $$;
COMMENT ON FUNCTION bmp.first_part_until IS 'Internal: the time until which the index of the first part of the newest open day reaches; infinity if no open day has one';

CREATE OR REPLACE FUNCTION bmp.indexed_until() RETURNS timestamptz LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN  -- does not call first_part_until(), whose result PL/pgSQL would keep for the whole connection
  RETURN coalesce((
    SELECT coalesce(max(s.indexed_until), f.part_until)
    FROM (SELECT max(i.indexed_until) FROM bmp.open_day_indexes() i WHERE i.valid AND i.indexed_from = '-infinity') f (part_until)
      LEFT JOIN bmp.open_day_indexes() s ON s.valid AND s.indexed_from = f.part_until
    GROUP BY f.part_until), 'infinity');
END $$;
COMMENT ON FUNCTION bmp.indexed_until IS 'Internal: the time until which the newest open day is indexed; infinity if no open day is';

-- All events. The first and the second part of the newest open day have an index on the prefix each, the rest only that
-- on the time: each part is read by its own index.
CREATE OR REPLACE FUNCTION bmp.history_events() RETURNS SETOF bmp.event LANGUAGE sql STABLE PARALLEL SAFE ROWS 100000 AS $$
  SELECT e.* FROM bmp.route_event e WHERE e.received_at <= bmp.first_part_until()
  UNION ALL
  SELECT e.* FROM bmp.route_event e WHERE bmp.first_part_until() < bmp.indexed_until()
    AND e.received_at > bmp.first_part_until() AND e.received_at <= bmp.indexed_until()
  UNION ALL
  SELECT e.* FROM bmp.route_event e WHERE e.received_at > bmp.indexed_until()
$$;
COMMENT ON FUNCTION bmp.history_events IS 'Internal: all events, so that a condition on the prefix uses the indexes of an open day as far as they reach';

CREATE OR REPLACE FUNCTION bmp.events_until(ts timestamptz) RETURNS SETOF bmp.event LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT e.* FROM bmp.route_event e
  WHERE e.received_at <= bmp.first_part_until() AND e.received_at <= ts AND e.received_at >= (SELECT bmp.snapshot_for(ts))
  UNION ALL
  SELECT e.* FROM bmp.route_event e
  WHERE ts > bmp.first_part_until() AND bmp.first_part_until() < bmp.indexed_until()
    AND e.received_at > bmp.first_part_until() AND e.received_at <= bmp.indexed_until() AND e.received_at <= ts
    AND e.received_at >= (SELECT bmp.snapshot_for(ts))
  UNION ALL
  -- The rest is not read for a time before it: its newest pages are not in the index on the time yet and always match.
  SELECT e.* FROM bmp.route_event e
  WHERE ts > bmp.indexed_until() AND e.received_at > bmp.indexed_until() AND e.received_at <= ts
    AND e.received_at >= (SELECT bmp.snapshot_for(ts))
  UNION ALL
  -- An argument with a SELECT would keep the planner from expanding the function: it would read the whole snapshot.
  SELECT s.* FROM (SELECT bmp.snapshot_for(ts) AS snapshot_at OFFSET 0) t, bmp.snapshot_events(t.snapshot_at) s
$$;
COMMENT ON FUNCTION bmp.events_until IS 'Internal: all events from a snapshot until a time, beginning with the snapshot''s routes';

CREATE OR REPLACE FUNCTION bmp.last_events(ts timestamptz, in_router text, in_peer_address inet, in_rib_view text)
RETURNS SETOF bmp.event LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT DISTINCT ON (e.prefix, e.peer_id, e.rib_view, e.family, e.rd, e.path_id, bmp.nlri_key(e.family, e.nlri)) e.*
  FROM bmp.events_until(ts) e
  WHERE (in_router IS NULL AND in_peer_address IS NULL
      OR e.peer_id = ANY ((SELECT bmp.peer_ids(in_router, in_peer_address))::integer[]))
    AND (in_rib_view IS NULL OR e.rib_view = bmp.rib_view_code(in_rib_view))
  ORDER BY e.prefix, e.peer_id, e.rib_view, e.family, e.rd, e.path_id, bmp.nlri_key(e.family, e.nlri), e.session_id DESC,
    e.sequence DESC
$$;
COMMENT ON FUNCTION bmp.last_events IS 'Internal: the newest event of each route until a time, including withdrawals. Events are ordered by session and by their sequence within it, as for the current state';

-- The newest session of each table in which it was synchronized at a time. Family 0 stands for all families of the
-- view.
CREATE OR REPLACE FUNCTION bmp.synchronized_tables(ts timestamptz)
RETURNS TABLE (peer_id integer, rib_view smallint, family integer, session_id bigint) LANGUAGE sql STABLE PARALLEL SAFE ROWS 1000 AS $$
  SELECT z.peer_id, z.rib_view, z.family, max(z.session_id)
  FROM bmp.table_synchronization z
  WHERE z.synchronized_from <= ts AND (z.synchronized_until > ts OR z.synchronized_until IS NULL)
  GROUP BY z.peer_id, z.rib_view, z.family
$$;
COMMENT ON FUNCTION bmp.synchronized_tables IS 'Internal: the newest session of each table in which it was synchronized at a time. Family 0 stands for all families of the view';

-- The past ------------------------------------------------------------------------------------------------------------

-- What v_rib would have returned at a time. To read one router's or peer's tables, pass them as arguments: a condition
-- on these columns would be evaluated only after all other tables have been read. Conditions on the prefix, the NLRI,
-- the family or the view may stand outside. last_changed is the time of the announcement that made the route what it
-- was, even if it repeated an earlier one. first_seen is null, because it would require all of the history before. A
-- route is stale if its router had no session. table_synchronized is null where it is unknown: if the time is before
-- the version of the database that records it, or before the first session event of the router.
CREATE OR REPLACE FUNCTION bmp.rib_at(ts timestamptz, router text DEFAULT NULL, peer_address inet DEFAULT NULL,
  rib_view text DEFAULT NULL) RETURNS SETOF bmp.v_rib LANGUAGE sql STABLE PARALLEL SAFE ROWS 100000 AS $$
  SELECT r.name AS router, p.address AS peer_address, p.asn AS peer_asn, bmp.bgp_id_text(p.bgp_id) AS peer_bgp_id,
    bmp.peer_type_text(p.peer_type) AS peer_type, bmp.distinguisher_text(p.distinguisher) AS peer_distinguisher,
    p.table_name, bmp.rib_view_text(t.rib_view) AS rib_view,
    t.family >> 8 AS afi, t.family & 255 AS safi, bmp.family_text(t.family) AS family,
    CASE WHEN bmp.has_rd(t.family) THEN bmp.rd_text(t.rd) END AS rd,
    t.prefix, coalesce(t.nlri_as_text, bmp.nlri_text(t.family, t.rd, t.prefix, t.nlri)) AS nlri, t.path_id,
    a.next_hop, a.origin, a.as_path, a.origin_asn, a.med, a.local_pref, a.communities, a.large_communities,
    a.ext_communities, t.labels, a.attributes,
    NULL::timestamptz AS first_seen, t.received_at AS last_changed,
    (s.live AND (s.session_id = r.session_id AND c.session_id > s.session_id AND c.started_at <= rib_at.ts) IS NOT TRUE)
      IS NOT TRUE AS stale,
    t.session_id, t.peer_id, a.next_hop_link_local, a.as_path_asns,
    bmp.path_status_texts(t.path_status) AS path_status, bmp.path_reason_text(t.path_reason) AS path_reason,
    CASE WHEN s.session_id IS NOT NULL AND rib_at.ts >= (SELECT recorded_from FROM bmp.table_synchronization_start)
      THEN coalesce(greatest(f.session_id, g.session_id) >= s.session_id, false) END AS table_synchronized
  FROM bmp.last_events(rib_at.ts, rib_at.router, rib_at.peer_address, rib_at.rib_view) t
    LEFT JOIN bmp.peer p ON p.peer_id = t.peer_id
    LEFT JOIN bmp.router r ON r.router_id = p.router_id
    LEFT JOIN bmp.collector c ON c.name = r.collector  -- of the router's newest session
    LEFT JOIN (SELECT DISTINCT ON (v.router_id) v.router_id, v.session_id, v.event = 'session-up' AS live
      FROM bmp.peer_event v WHERE v.event IN ('session-up', 'session-down') AND v.received_at <= rib_at.ts
      ORDER BY v.router_id, v.session_id DESC, v.sequence DESC) s ON s.router_id = p.router_id
    LEFT JOIN bmp.synchronized_tables(rib_at.ts) f ON f.peer_id = t.peer_id AND f.rib_view = t.rib_view AND f.family = t.family
    LEFT JOIN bmp.synchronized_tables(rib_at.ts) g ON g.peer_id = t.peer_id AND g.rib_view = t.rib_view AND g.family = 0
    LEFT JOIN bmp.path_attributes a ON a.attribute_hash = t.attribute_hash
  WHERE t.action = 1
    AND NOT EXISTS (  -- the peer was down, and the withdrawals are not written yet
      SELECT FROM bmp.rib_ended d WHERE d.peer_id = t.peer_id AND d.rib_view = t.rib_view AND d.received_at <= rib_at.ts
        AND (d.session_id, d.sequence) > (t.session_id, t.sequence))
$$;
COMMENT ON FUNCTION bmp.rib_at IS 'What v_rib would have returned at a time. Pass the router, the peer or the view as arguments, because a condition on these columns would be evaluated only after all other tables have been read. last_changed is the time of the announcement that made the route what it was, even if it repeated an earlier one. first_seen is null, and so is table_synchronized where it is unknown. A route is stale if its router had no session';

CREATE OR REPLACE FUNCTION bmp.routers_at(ts timestamptz) RETURNS SETOF bmp.v_routers LANGUAGE sql STABLE ROWS 100 AS $$
  SELECT r.name, coalesce(bmp.address(u.detail->>'router_address'), r.address), i.detail->>'sys_name', i.detail->>'sys_descr',
    CASE WHEN s.event = 'session-up' AND (s.session_id = r.session_id AND c.session_id > s.session_id
      AND c.started_at <= ts) IS NOT TRUE THEN 'connected' ELSE 'disconnected' END,
    u.received_at,
    CASE WHEN s.event = 'session-down' THEN s.received_at
      WHEN s.session_id = r.session_id AND c.session_id > s.session_id AND c.started_at <= ts THEN c.started_at END,
    s.session_id, u.detail->>'name_source', bmp.router_flaps(r.router_id, ts)
  FROM bmp.router r
    CROSS JOIN LATERAL (SELECT v.session_id, v.event, v.received_at FROM bmp.peer_event v
      WHERE v.router_id = r.router_id AND v.event IN ('session-up', 'session-down') AND v.received_at <= ts
      ORDER BY v.session_id DESC, v.sequence DESC LIMIT 1) s
    LEFT JOIN LATERAL (SELECT v.received_at, v.detail FROM bmp.peer_event v
      WHERE v.session_id = s.session_id AND v.router_id = r.router_id AND v.event = 'session-up'
      ORDER BY v.sequence LIMIT 1) u ON true
    LEFT JOIN LATERAL (SELECT v.detail FROM bmp.peer_event v
      WHERE v.session_id = s.session_id AND v.router_id = r.router_id AND v.event = 'initiation' AND v.received_at <= ts
      ORDER BY v.sequence DESC LIMIT 1) i ON true
    LEFT JOIN bmp.collector c ON c.name = r.collector  -- of the router's newest session
$$;
COMMENT ON FUNCTION bmp.routers_at IS 'What v_routers would have returned at a time, by the router''s newest session then';

CREATE OR REPLACE FUNCTION bmp.peers_at(ts timestamptz) RETURNS SETOF bmp.v_peers LANGUAGE sql STABLE ROWS 1000 AS $$
  SELECT r.router, u.address, u.asn, bmp.bgp_id_text(u.bgp_id), bmp.peer_type_text(u.peer_type),
    bmp.distinguisher_text(u.distinguisher), u.table_name, bmp.rib_view_text(u.rib_view),
    CASE WHEN d.received_at IS NOT NULL THEN 'down' WHEN r.state <> 'connected' OR r.session_id <> u.session_id THEN 'stale'
      WHEN u.event = 'peer-up' THEN 'up' ELSE 'unannounced' END,
    CASE WHEN u.event = 'peer-up' THEN u.received_at END, d.received_at, d.reason, u.detail->'capabilities',
    bmp.address(u.detail->>'local_address'), (u.detail->>'local_port')::integer, (u.detail->>'remote_port')::integer,
    coalesce(d.session_id, u.session_id), NULL::jsonb, NULL::text[],
    bmp.peer_flaps(u.router_id, u.peer_type, u.distinguisher, u.address, u.bgp_id, u.rib_view, ts)
  FROM (
      SELECT DISTINCT ON (v.router_id, v.peer_type, v.distinguisher, v.address, v.bgp_id, v.rib_view) v.*
      FROM bmp.peer_event v
      WHERE v.event IN ('peer-up', 'peer-unannounced') AND v.received_at <= ts AND NOT v.detail ? 'redecoded'
      ORDER BY v.router_id, v.peer_type, v.distinguisher, v.address, v.bgp_id, v.rib_view, v.session_id DESC, v.sequence DESC) u
    JOIN bmp.router n USING (router_id)
    JOIN bmp.routers_at(ts) r ON r.router = n.name
    LEFT JOIN LATERAL (SELECT v.received_at, v.reason, v.session_id FROM bmp.peer_event v
      WHERE v.event = 'peer-down' AND v.router_id = u.router_id AND v.peer_type = u.peer_type
        AND v.distinguisher = u.distinguisher AND v.address = u.address AND (v.bgp_id = u.bgp_id OR v.bgp_id = 0)
        AND ((v.detail->>'all_views')::boolean IS NOT FALSE OR v.rib_view = u.rib_view)
        AND (v.session_id, v.sequence) > (u.session_id, u.sequence) AND v.received_at <= ts AND NOT v.detail ? 'redecoded'
      ORDER BY v.session_id, v.sequence LIMIT 1) d ON true
$$;
COMMENT ON FUNCTION bmp.peers_at IS 'What v_peers would have returned at a time: the newest Peer Up of each peer and view, and the first Peer Down after it. up_at is the time of that Peer Up, even if it repeated an earlier one. decode and synchronized_families are null';

CREATE OR REPLACE FUNCTION bmp.changed_attributes(old jsonb, new jsonb) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT ARRAY(
    SELECT coalesce(o.key, n.key)
    FROM jsonb_each(coalesce(old, '{}')) o FULL JOIN jsonb_each(coalesce(new, '{}')) n ON n.key = o.key
    WHERE o.value IS DISTINCT FROM n.value ORDER BY 1)
$$;
COMMENT ON FUNCTION bmp.changed_attributes IS 'Internal: the names of the attributes that differ, as in the column attributes (docs/reference/attributes.md)';

CREATE OR REPLACE FUNCTION bmp.route_changes(old_hash uuid, old jsonb, old_labels integer[], old_status bigint,
  old_reason integer, new_hash uuid, new jsonb, new_labels integer[], new_status bigint, new_reason integer)
RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN old_hash = new_hash THEN '{}' ELSE coalesce(nullif(bmp.changed_attributes(old, new), '{}'), '{raw}') END
    || CASE WHEN old_labels IS DISTINCT FROM new_labels THEN '{labels}'::text[] ELSE '{}' END
    || CASE WHEN old_status IS DISTINCT FROM new_status THEN '{path_status}'::text[] ELSE '{}' END
    || CASE WHEN old_reason IS DISTINCT FROM new_reason THEN '{path_reason}'::text[] ELSE '{}' END
$$;
COMMENT ON FUNCTION bmp.route_changes IS 'Internal: the names of everything that differs between two announcements: attributes, labels and path marking. "raw" if the attribute sets differ only in their bytes';

-- Whether everything between two times is known: true, or an error. Called without columns, it is evaluated once before
-- any row is read. A condition on a table's column would never be evaluated if no row is read.
CREATE OR REPLACE FUNCTION bmp.is_known(t1 timestamptz, t2 timestamptz) RETURNS boolean LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  IF t1 > t2 THEN
    RAISE invalid_parameter_value USING MESSAGE = format('%s is after %s: pass the earlier time first', t1, t2);
  END IF;
  RETURN bmp.snapshot_for(t1) IS NOT NULL;
END $$;
COMMENT ON FUNCTION bmp.is_known IS 'Internal: whether everything between two times is known: true, or an error';

-- Whether a prefix is in a range, in the order of the type: IPv4 before IPv6. NLRI that are not prefixes come last:
-- they are in a range without an end. It is inlined, and with an end an index on the prefix answers it.
CREATE OR REPLACE FUNCTION bmp.in_prefix_range(in_prefix cidr, in_first cidr, in_last cidr) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (in_last IS NULL OR in_prefix <= in_last)
    AND (in_first IS NULL OR in_prefix >= in_first OR in_last IS NULL AND in_prefix IS NULL)
$$;
COMMENT ON FUNCTION bmp.in_prefix_range IS 'Internal: whether a prefix is in a range, of which either end may be null; NLRI that are not prefixes come last';

CREATE OR REPLACE FUNCTION bmp.events_between(t1 timestamptz, t2 timestamptz, in_router text, in_peer_address inet,
  in_rib_view text, in_within cidr, in_first cidr, in_last cidr) RETURNS SETOF bmp.event LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT e.* FROM (
    SELECT h.* FROM bmp.history_events() h
    UNION ALL
    SELECT w.* FROM bmp.pending_withdrawals(NULL) w) e
  WHERE e.received_at > t1 AND e.received_at <= t2
    AND (in_router IS NULL AND in_peer_address IS NULL
      OR e.peer_id = ANY ((SELECT bmp.peer_ids(in_router, in_peer_address))::integer[]))
    AND (in_rib_view IS NULL OR e.rib_view = bmp.rib_view_code(in_rib_view))
    AND (in_within IS NULL OR e.prefix <<= in_within) AND bmp.in_prefix_range(e.prefix, in_first, in_last)
$$;
COMMENT ON FUNCTION bmp.events_between IS 'Internal: the events after a time until another, with the withdrawals that are not written yet';

-- The difference between rib_at(t1) and rib_at(t2). Of the history it reads what happened in between and, of the time
-- before, what concerns the prefixes affected. within = '10.0.0.0/8' reads no other prefixes at all; first_prefix and
-- last_prefix likewise, so that a part of a large difference costs as much as a small difference.
DROP FUNCTION IF EXISTS bmp.rib_diff(timestamptz, timestamptz, text, inet, text, cidr);
CREATE OR REPLACE FUNCTION bmp.rib_diff(t1 timestamptz, t2 timestamptz, router text DEFAULT NULL,
  peer_address inet DEFAULT NULL, rib_view text DEFAULT NULL, within cidr DEFAULT NULL,
  first_prefix cidr DEFAULT NULL, last_prefix cidr DEFAULT NULL) RETURNS TABLE (
  change text, router text, peer_address inet, peer_asn bigint, peer_bgp_id inet, peer_type text, peer_distinguisher text,
  table_name text, rib_view text, afi integer, safi integer, family text, rd text, prefix cidr, nlri text, path_id bigint,
  changed text[], old_next_hop inet, new_next_hop inet, old_origin text, new_origin text, old_as_path text, new_as_path text,
  old_origin_asn bigint, new_origin_asn bigint, old_med bigint, new_med bigint, old_local_pref bigint, new_local_pref bigint,
  old_communities text[], new_communities text[], old_large_communities text[], new_large_communities text[],
  old_ext_communities text[], new_ext_communities text[], old_labels integer[], new_labels integer[], old_attributes jsonb,
  new_attributes jsonb, old_path_status text[], new_path_status text[], old_path_reason text, new_path_reason text,
  old_received_at timestamptz, new_received_at timestamptz, synthetic boolean)
LANGUAGE sql STABLE PARALLEL SAFE ROWS 10000 AS $$
  WITH touched AS MATERIALIZED (
    SELECT DISTINCT ON (e.prefix, e.peer_id, e.rib_view, e.family, e.rd, e.path_id, bmp.nlri_key(e.family, e.nlri)) e.*,
      bmp.nlri_key(e.family, e.nlri) AS key
    FROM bmp.events_between(t1, t2, rib_diff.router, rib_diff.peer_address, rib_diff.rib_view, within, first_prefix, last_prefix) e
    ORDER BY e.prefix, e.peer_id, e.rib_view, e.family, e.rd, e.path_id, bmp.nlri_key(e.family, e.nlri), e.session_id DESC,
      e.sequence DESC),
  before AS (
    SELECT b.* FROM (
      SELECT DISTINCT ON (e.prefix, e.peer_id, e.rib_view, e.family, e.rd, e.path_id, bmp.nlri_key(e.family, e.nlri)) e.*,
        bmp.nlri_key(e.family, e.nlri) AS key
      FROM bmp.events_until(t1) e
      WHERE coalesce(e.prefix, '::/128') IN (SELECT coalesce(t.prefix, '::/128') FROM touched t)
        AND (rib_diff.router IS NULL AND rib_diff.peer_address IS NULL
          OR e.peer_id = ANY ((SELECT bmp.peer_ids(rib_diff.router, rib_diff.peer_address))::integer[]))
        AND (rib_diff.rib_view IS NULL OR e.rib_view = bmp.rib_view_code(rib_diff.rib_view))
        AND (within IS NULL OR e.prefix <<= within) AND bmp.in_prefix_range(e.prefix, first_prefix, last_prefix)
      ORDER BY e.prefix, e.peer_id, e.rib_view, e.family, e.rd, e.path_id, bmp.nlri_key(e.family, e.nlri), e.session_id DESC,
        e.sequence DESC) b
    WHERE NOT EXISTS (SELECT FROM bmp.rib_ended d WHERE d.peer_id = b.peer_id AND d.rib_view = b.rib_view AND d.received_at <= t1
      AND (d.session_id, d.sequence) > (b.session_id, b.sequence)))
  SELECT CASE WHEN n.action = 0 THEN 'removed' WHEN o.action = 1 THEN 'changed' ELSE 'added' END,
    r.name, p.address, p.asn, bmp.bgp_id_text(p.bgp_id), bmp.peer_type_text(p.peer_type),
    bmp.distinguisher_text(p.distinguisher), p.table_name, bmp.rib_view_text(n.rib_view), n.family >> 8, n.family & 255,
    bmp.family_text(n.family), CASE WHEN bmp.has_rd(n.family) THEN bmp.rd_text(n.rd) END, n.prefix,
    coalesce(n.nlri_as_text, bmp.nlri_text(n.family, n.rd, n.prefix, n.nlri)), n.path_id,
    CASE WHEN n.action = 1 AND o.action = 1 THEN bmp.route_changes(o.attribute_hash, a.attributes, o.labels, o.path_status,
      o.path_reason, n.attribute_hash, b.attributes, n.labels, n.path_status, n.path_reason) END,
    a.next_hop, b.next_hop, a.origin, b.origin, a.as_path, b.as_path, a.origin_asn, b.origin_asn, a.med, b.med, a.local_pref,
    b.local_pref, a.communities, b.communities, a.large_communities, b.large_communities, a.ext_communities,
    b.ext_communities, CASE WHEN o.action = 1 THEN o.labels END, CASE WHEN n.action = 1 THEN n.labels END, a.attributes,
    b.attributes, bmp.path_status_texts(o.path_status), bmp.path_status_texts(n.path_status),
    bmp.path_reason_text(o.path_reason), bmp.path_reason_text(n.path_reason), o.received_at, n.received_at, n.synthetic
  FROM touched n
    LEFT JOIN before o ON coalesce(o.prefix, '::/128') = coalesce(n.prefix, '::/128') AND o.peer_id = n.peer_id
      AND o.rib_view = n.rib_view AND o.family = n.family AND coalesce(o.rd, 0) = coalesce(n.rd, 0)
      AND coalesce(o.path_id, -1) = coalesce(n.path_id, -1) AND coalesce(o.key, '') = coalesce(n.key, '')
    LEFT JOIN bmp.path_attributes a ON a.attribute_hash = o.attribute_hash
    LEFT JOIN bmp.path_attributes b ON b.attribute_hash = n.attribute_hash
    LEFT JOIN bmp.peer p ON p.peer_id = n.peer_id
    LEFT JOIN bmp.router r ON r.router_id = p.router_id
  WHERE bmp.is_known(t1, t2) AND (o.action IS NULL OR (o.session_id, o.sequence) < (n.session_id, n.sequence))
    AND (n.action = 1 AND o.action IS DISTINCT FROM 1 OR n.action = 0 AND o.action = 1
      OR n.action = 1 AND o.action = 1 AND (n.attribute_hash IS DISTINCT FROM o.attribute_hash OR n.labels IS DISTINCT FROM o.labels
        OR n.path_status IS DISTINCT FROM o.path_status OR n.path_reason IS DISTINCT FROM o.path_reason
        OR n.nlri IS DISTINCT FROM o.nlri))
$$;
COMMENT ON FUNCTION bmp.rib_diff IS 'The difference between rib_at(t1) and rib_at(t2): one row for each route that exists at one time only (added, removed) or with other attributes (changed). With the argument within, no other prefixes are read; with first_prefix and last_prefix, only prefixes from the one to the other, in the order of the type cidr, in which NLRI that are not prefixes come last';

CREATE OR REPLACE FUNCTION bmp.route_timeline(prefix cidr, router text DEFAULT NULL, peer_address inet DEFAULT NULL,
  rib_view text DEFAULT NULL) RETURNS TABLE (
  received_at timestamptz, router text, peer_address inet, peer_asn bigint, peer_bgp_id inet, peer_type text,
  peer_distinguisher text, table_name text, rib_view text, family text, rd text, path_id bigint, event text,
  synthetic boolean, change text, changed text[], next_hop inet, origin text, as_path text, origin_asn bigint, med bigint,
  local_pref bigint, communities text[], large_communities text[], ext_communities text[], labels integer[],
  attributes jsonb, path_status text[], path_reason text, router_time timestamptz, session_id bigint, sequence bigint)
LANGUAGE sql STABLE PARALLEL SAFE ROWS 100 AS $$
  SELECT e.received_at, r.name, p.address, p.asn, bmp.bgp_id_text(p.bgp_id), bmp.peer_type_text(p.peer_type),
    bmp.distinguisher_text(p.distinguisher), p.table_name, bmp.rib_view_text(e.rib_view), bmp.family_text(e.family),
    CASE WHEN bmp.has_rd(e.family) THEN bmp.rd_text(e.rd) END, e.path_id,
    CASE e.action WHEN 1 THEN 'announce' ELSE 'withdraw' END, e.synthetic,
    CASE WHEN e.action = 0 THEN CASE WHEN e.old_action = 1 THEN 'withdrawn' ELSE 'was not there' END
      WHEN e.old_action IS DISTINCT FROM 1 THEN 'new'
      WHEN c.changed = '{}' THEN 'repeated' ELSE 'changed' END,
    CASE WHEN e.action = 1 AND e.old_action = 1 THEN c.changed END,
    a.next_hop, a.origin, a.as_path, a.origin_asn, a.med, a.local_pref, a.communities, a.large_communities,
    a.ext_communities, e.labels, a.attributes, bmp.path_status_texts(e.path_status), bmp.path_reason_text(e.path_reason),
    e.router_time, e.session_id, e.sequence
  FROM (
      SELECT u.*, lag(u.action) OVER w AS old_action, lag(u.attribute_hash) OVER w AS old_hash, lag(u.labels) OVER w AS old_labels,
        lag(u.path_status) OVER w AS old_status, lag(u.path_reason) OVER w AS old_reason
      FROM (
        SELECT h.* FROM bmp.history_events() h
        WHERE h.prefix = route_timeline.prefix AND h.received_at >= coalesce(
          (SELECT min(m.snapshot_at) FROM bmp.snapshot m WHERE m.history_purged), '-infinity')
        UNION ALL
        SELECT d.* FROM bmp.pending_withdrawals(route_timeline.prefix) d
        UNION ALL
        SELECT s.* FROM (SELECT min(m.snapshot_at) AS snapshot_at FROM bmp.snapshot m WHERE m.history_purged) t,
          bmp.snapshot_events(t.snapshot_at) s
        WHERE s.prefix = route_timeline.prefix) u
      WHERE (route_timeline.router IS NULL AND route_timeline.peer_address IS NULL
          OR u.peer_id = ANY ((SELECT bmp.peer_ids(route_timeline.router, route_timeline.peer_address))::integer[]))
        AND (route_timeline.rib_view IS NULL OR u.rib_view = bmp.rib_view_code(route_timeline.rib_view))
      WINDOW w AS (PARTITION BY u.peer_id, u.rib_view, u.family, u.rd, u.path_id ORDER BY u.session_id, u.sequence)) e
    LEFT JOIN bmp.path_attributes a ON a.attribute_hash = e.attribute_hash
    LEFT JOIN bmp.path_attributes o ON o.attribute_hash = e.old_hash
    LEFT JOIN bmp.peer p ON p.peer_id = e.peer_id
    LEFT JOIN bmp.router r ON r.router_id = p.router_id
    CROSS JOIN LATERAL (SELECT bmp.route_changes(e.old_hash, o.attributes, e.old_labels, e.old_status, e.old_reason, e.attribute_hash,
      a.attributes, e.labels, e.path_status, e.path_reason) AS changed) c
  ORDER BY e.received_at, e.session_id, e.sequence
$$;
COMMENT ON FUNCTION bmp.route_timeline IS 'All events of one prefix as far back as the history goes, with what each of them changed. change: new, changed, repeated, withdrawn, or was not there';

-- Comparing views -----------------------------------------------------------------------------------------------------

CREATE OR REPLACE FUNCTION bmp.is_monitored(in_peer_id integer, in_rib_view smallint) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM bmp.peer_state s WHERE s.peer_id = in_peer_id AND s.rib_view = in_rib_view AND s.up)
    OR EXISTS (SELECT FROM bmp.rib_table t JOIN bmp.peer p USING (peer_id) LEFT JOIN bmp.live_session l USING (router_id)
      WHERE t.peer_id = in_peer_id AND t.rib_view = in_rib_view AND NOT t.empty AND t.session_id >= coalesce(l.session_id, t.session_id))
$$;
COMMENT ON FUNCTION bmp.is_monitored IS 'Internal: whether the router sends us a view of a peer: its Peer Up covered the view, or routes of it arrived in the newest session';

CREATE OR REPLACE FUNCTION bmp.route_json(attributes jsonb, labels integer[], path_status text[], path_reason text)
RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(attributes, '{}') || jsonb_strip_nulls(jsonb_build_object('labels', to_jsonb(labels),
    'path_status', to_jsonb(path_status), 'path_reason', path_reason))
$$;
COMMENT ON FUNCTION bmp.route_json IS 'Internal: the attributes, labels and path marking of a route of v_rib as one JSON value';

-- One prefix in the five views: one row for each path of each peer and direction. For direction "in": the route that
-- the peer sent (adj-rib-in-pre), the result of the policy (adj-rib-in-post) and the router's selected route (loc-rib).
-- For "out": loc-rib and the routes for the peer before and after policy. Null where there is no route; the outcome
-- distinguishes a missing route from a view that the router does not send. With a time, the routes are those at that
-- time; the views that a router sends are always those that it sends now.
DROP FUNCTION IF EXISTS bmp.compare_views(cidr);
CREATE OR REPLACE FUNCTION bmp.compare_views(prefix cidr, ts timestamptz DEFAULT NULL) RETURNS TABLE (
  router text, peer_address inet, peer_asn bigint, peer_bgp_id inet, peer_type text, peer_distinguisher text, family text,
  rd text, prefix cidr, path_id bigint, direction text, outcome text, changed text[], selected boolean,
  adj_rib_in_pre jsonb, adj_rib_in_post jsonb, loc_rib jsonb, adj_rib_out_pre jsonb, adj_rib_out_post jsonb, stale boolean)
LANGUAGE sql STABLE ROWS 10 AS $$
  WITH route AS MATERIALIZED (
    SELECT v.*, bmp.route_json(v.attributes, v.labels, v.path_status, v.path_reason) AS value
    FROM (
        SELECT c.* FROM bmp.v_rib c WHERE ts IS NULL AND c.prefix = compare_views.prefix
        UNION ALL
        SELECT p.* FROM bmp.rib_at(ts) p WHERE ts IS NOT NULL AND p.prefix = compare_views.prefix) v),
  side AS (  -- one direction of a peer and path; also a peer to which no route of a table is advertised, without path
    SELECT peer_id, rib_view LIKE 'adj-rib-out%' AS out, router, peer_distinguisher, family, rd, path_id
    FROM route WHERE rib_view <> 'loc-rib'
    UNION
    SELECT p.peer_id, true, l.router, l.peer_distinguisher, l.family, l.rd, NULL
    FROM route l JOIN bmp.router r ON r.name = l.router JOIN bmp.peer p USING (router_id)
    WHERE l.rib_view = 'loc-rib' AND bmp.distinguisher_text(p.distinguisher) = l.peer_distinguisher AND p.peer_type <> 3
      AND (bmp.is_monitored(p.peer_id, 2::smallint) OR bmp.is_monitored(p.peer_id, 3::smallint))
      AND NOT EXISTS (SELECT FROM route o WHERE o.peer_id = p.peer_id AND o.rib_view LIKE 'adj-rib-out%'
        AND o.family = l.family AND o.rd IS NOT DISTINCT FROM l.rd)),
  pair AS (
    SELECT s.*, pre.value AS pre, post.value AS post, loc.best AS loc, loc.same AS selected,
      bmp.is_monitored(s.peer_id, CASE WHEN s.out THEN 2 ELSE 0 END::smallint) AS pre_shown,
      bmp.is_monitored(s.peer_id, CASE WHEN s.out THEN 3 ELSE 1 END::smallint) AS post_shown,
      coalesce(pre.stale, false) OR coalesce(post.stale, false) AS stale
    FROM side s
      LEFT JOIN route pre ON pre.peer_id = s.peer_id AND pre.family = s.family AND pre.rd IS NOT DISTINCT FROM s.rd
        AND pre.path_id IS NOT DISTINCT FROM s.path_id
        AND pre.rib_view = CASE WHEN s.out THEN 'adj-rib-out-pre' ELSE 'adj-rib-in-pre' END
      LEFT JOIN route post ON post.peer_id = s.peer_id AND post.family = s.family AND post.rd IS NOT DISTINCT FROM s.rd
        AND post.path_id IS NOT DISTINCT FROM s.path_id
        AND post.rib_view = CASE WHEN s.out THEN 'adj-rib-out-post' ELSE 'adj-rib-in-post' END
      LEFT JOIN LATERAL (  -- the router's selected route; of several paths the one that equals this
        SELECT l.value AS best, (l.as_path, l.next_hop, l.origin) IS NOT DISTINCT FROM (coalesce(post.as_path, pre.as_path),
          coalesce(post.next_hop, pre.next_hop), coalesce(post.origin, pre.origin)) AS same
        FROM route l WHERE l.rib_view = 'loc-rib' AND l.router = s.router AND l.family = s.family
          AND l.peer_distinguisher = s.peer_distinguisher AND l.rd IS NOT DISTINCT FROM s.rd
        ORDER BY 2 DESC, l.path_id LIMIT 1) loc ON true)
  SELECT w.router, p.address, p.asn, bmp.bgp_id_text(p.bgp_id), bmp.peer_type_text(p.peer_type), w.peer_distinguisher, w.family,
    w.rd, compare_views.prefix, w.path_id, CASE WHEN w.out THEN 'out' ELSE 'in' END,
    CASE WHEN w.pre IS NULL AND w.post IS NULL THEN 'not advertised'
      WHEN w.post IS NULL AND w.post_shown THEN 'rejected by policy'
      WHEN w.post IS NULL THEN CASE WHEN w.out THEN 'to be advertised' ELSE 'received' END
      ELSE CASE WHEN w.out THEN 'advertised' ELSE 'accepted' END
        || CASE WHEN w.pre IS NULL AND w.pre_shown THEN ', missing before policy' WHEN w.pre <> w.post THEN ', changed by policy'
          WHEN w.pre = w.post THEN ', unchanged' ELSE '' END END,
    CASE WHEN w.pre IS NOT NULL AND w.post IS NOT NULL THEN bmp.changed_attributes(w.pre, w.post)
      WHEN w.out AND w.loc IS NOT NULL AND (w.post IS NOT NULL OR w.pre IS NOT NULL AND NOT w.post_shown)
        THEN bmp.changed_attributes(w.loc, coalesce(w.post, w.pre)) END,
    CASE WHEN w.out THEN NULL WHEN w.post IS NULL AND w.post_shown THEN false ELSE coalesce(w.selected, CASE WHEN EXISTS (SELECT FROM bmp.peer l JOIN bmp.router r USING (router_id)
      WHERE r.name = w.router AND l.peer_type = 3 AND bmp.is_monitored(l.peer_id, 4::smallint)) THEN false END) END,
    CASE WHEN NOT w.out THEN w.pre END, CASE WHEN NOT w.out THEN w.post END, w.loc, CASE WHEN w.out THEN w.pre END,
    CASE WHEN w.out THEN w.post END, w.stale
  FROM pair w JOIN bmp.peer p USING (peer_id)
  UNION ALL
  SELECT l.router, l.peer_address, l.peer_asn, l.peer_bgp_id, l.peer_type, l.peer_distinguisher, l.family, l.rd, l.prefix,
    l.path_id, 'loc-rib', 'chosen', NULL, NULL, NULL, NULL, l.value, NULL, NULL, l.stale
  FROM route l WHERE l.rib_view = 'loc-rib'
  ORDER BY 1, 11, 2, 3, 7, 8, 10
$$;
COMMENT ON FUNCTION bmp.compare_views IS 'One prefix in the five RIB views: one row for each path of each peer and direction. For direction in: the route that the peer sent (adj_rib_in_pre), the result of the policy (adj_rib_in_post) and the router''s selected route (loc_rib). For direction out: loc_rib and the routes for the peer before and after policy. Null where there is no route; outcome distinguishes a missing route from a view that the router does not send. With a time, the routes are those at that time; the views that a router sends are always those that it sends now';

-- Reconciliation ------------------------------------------------------------------------------------------------------

-- The station's route counts beside the router's, from the gauges of RFC 7854 (Section 4.8), RFC 8671 (Section 6.2) and
-- RFC 9972: the newest gauge of each table that belongs to the router's live session and is not older than max_age. A
-- family of null means all families together. Events after the gauge may explain a difference up to their number: then
-- the two counts are not comparable (state "unknown"), and only a larger difference counts as one. They are counted
-- (changes_since) only where the counts differ, and only those of the last ten seconds if these explain the difference:
-- an hour of events may be most of the history. With a time, routes and gauges are those at that time; the views that a
-- router sends are always those that it sends now.
DROP FUNCTION IF EXISTS bmp.reconcile(interval);
DROP FUNCTION IF EXISTS bmp.reconcile(interval, timestamptz);
CREATE OR REPLACE FUNCTION bmp.reconcile(max_age interval DEFAULT '1 hour', ts timestamptz DEFAULT NULL) RETURNS TABLE (
  router text, peer_address inet, peer_asn bigint, peer_bgp_id inet, peer_type text, peer_distinguisher text,
  table_name text, rib_view text, afi integer, safi integer, family text, state text, reason text, station_count bigint, router_count numeric,
  difference numeric, changes_since bigint, name text, statistic_at timestamptz, differs_since timestamptz, peer_id integer, table_synchronized boolean)
LANGUAGE sql STABLE ROWS 100 AS $$
  WITH gauge (type, rib_view, rank) AS (VALUES  -- types 7 and 9 do not specify pre- or post-policy and are taken as pre-policy unless 18 or 19 is sent
    (18, 0, 1), (19, 0, 1), (7, 0, 2), (9, 0, 2), (20, 1, 1), (21, 1, 1), (14, 2, 1), (16, 2, 1), (15, 3, 1), (17, 3, 1),
    (8, 4, 1), (10, 4, 1)),
  live AS MATERIALIZED (
    SELECT l.router_id, l.session_id FROM bmp.live_session l WHERE ts IS NULL AND l.live
    UNION ALL
    SELECT r.router_id, a.session_id FROM bmp.routers_at(ts) a JOIN bmp.router r ON r.name = a.router
    WHERE ts IS NOT NULL AND a.state = 'connected'),
  router_gauge AS MATERIALIZED (
    SELECT DISTINCT ON (p.peer_id, g.rib_view, coalesce(s.afi << 8 | s.safi, 0)) p.peer_id, g.rib_view,
      coalesce(s.afi << 8 | s.safi, 0) AS family, s.value, s.name, s.received_at, s.session_id, s.sequence
    FROM bmp.statistic s JOIN gauge g ON g.type = s.type
      JOIN live l ON l.router_id = s.router_id AND l.session_id = s.session_id
      JOIN bmp.peer p ON p.router_id = s.router_id AND p.peer_type = s.peer_type AND p.distinguisher = s.distinguisher
        AND p.address = s.address AND (p.bgp_id = s.bgp_id OR s.bgp_id = 0)
    WHERE s.received_at > coalesce(ts, now()) - max_age AND (ts IS NULL OR s.received_at <= ts)
      AND s.value IS NOT NULL AND (s.type NOT IN (8, 10) OR s.peer_type = 3)
    ORDER BY p.peer_id, g.rib_view, coalesce(s.afi << 8 | s.safi, 0), g.rank, s.session_id DESC, s.sequence DESC, s.ordinal DESC),
  station_routes AS MATERIALIZED (
    SELECT v.peer_id, bmp.rib_view_code(v.rib_view) AS rib_view, coalesce(v.afi << 8 | v.safi, 0) AS family,
      count(*) FILTER (WHERE NOT v.stale) AS routes
    FROM (
        SELECT c.peer_id, c.rib_view, c.afi, c.safi, c.stale FROM bmp.v_rib c WHERE ts IS NULL
        UNION ALL
        SELECT p.peer_id, p.rib_view, p.afi, p.safi, p.stale FROM bmp.rib_at(ts) p WHERE ts IS NOT NULL) v
    GROUP BY GROUPING SETS ((v.peer_id, v.rib_view, v.afi << 8 | v.safi), (v.peer_id, v.rib_view))),
  compared AS MATERIALIZED (
    SELECT coalesce(o.peer_id, t.peer_id) AS peer_id, coalesce(o.rib_view, t.rib_view)::smallint AS rib_view,
      coalesce(o.family, t.family) AS family, coalesce(o.routes, 0) AS station_routes, t.value AS router_gauge,
      coalesce(o.routes, 0) - t.value AS difference, t.name, t.received_at, t.session_id, t.sequence
    FROM station_routes o FULL JOIN router_gauge t ON t.peer_id = o.peer_id AND t.rib_view = o.rib_view AND t.family = o.family
    WHERE t.peer_id IS NOT NULL OR o.family <> 0),
  different AS MATERIALIZED (SELECT * FROM compared WHERE difference <> 0),
  recent AS MATERIALIZED (
    SELECT t.peer_id, t.rib_view, t.family, count(*) AS events
    FROM different t JOIN bmp.route_event e ON e.peer_id = t.peer_id AND e.rib_view = t.rib_view
      AND (t.family = 0 OR e.family = t.family) AND (e.session_id, e.sequence) > (t.session_id, t.sequence)
    WHERE e.received_at >= coalesce(ts, now()) - interval '10 seconds' AND (ts IS NULL OR e.received_at <= ts)
    GROUP BY 1, 2, 3),
  unexplained AS MATERIALIZED (
    SELECT t.* FROM different t LEFT JOIN recent n USING (peer_id, rib_view, family)
    WHERE abs(t.difference) > coalesce(n.events, 0)),
  later AS MATERIALIZED (  -- a confirmed route has neither event nor time, so all of them may be later than the gauge
    SELECT n.peer_id, n.rib_view, n.family, sum(n.events)::bigint AS events
    FROM (
      SELECT t.peer_id, t.rib_view, t.family, count(*) AS events
      FROM unexplained t JOIN bmp.route_event e ON e.peer_id = t.peer_id AND e.rib_view = t.rib_view
        AND (t.family = 0 OR e.family = t.family) AND (e.session_id, e.sequence) > (t.session_id, t.sequence)
      WHERE e.received_at >= (SELECT min(m.received_at) FROM unexplained m) AND (ts IS NULL OR e.received_at <= ts)
      GROUP BY 1, 2, 3
      UNION ALL
      SELECT n.* FROM recent n LEFT JOIN unexplained t USING (peer_id, rib_view, family) WHERE t.peer_id IS NULL
      UNION ALL
      SELECT t.peer_id, t.rib_view, t.family, cardinality(c.route_ids)
      FROM different t JOIN bmp.rib_confirmed c ON c.peer_id = t.peer_id AND c.rib_view = t.rib_view
        AND (t.family = 0 OR c.family = t.family) AND c.session_id = t.session_id
      WHERE ts IS NULL) n
    GROUP BY 1, 2, 3),
  pair AS (
    SELECT t.*, CASE WHEN t.difference <> 0 THEN coalesce(n.events, 0) END AS later
    FROM compared t LEFT JOIN later n ON n.peer_id = t.peer_id AND n.rib_view = t.rib_view AND n.family = t.family),
  judged AS (
    SELECT w.*, CASE
      WHEN w.router_gauge IS NULL THEN 'no statistic'
      WHEN w.difference = 0 THEN NULL
      WHEN ts IS NULL AND EXISTS (SELECT FROM bmp.peer_state s WHERE s.peer_id = w.peer_id AND s.session_id = w.session_id
        AND s.sequence > w.sequence) THEN 'peer went up or down since'
      WHEN ts IS NOT NULL AND EXISTS (SELECT FROM bmp.peer_event v JOIN bmp.peer p ON p.router_id = v.router_id
          AND p.peer_type = v.peer_type AND p.distinguisher = v.distinguisher AND p.address = v.address
        WHERE p.peer_id = w.peer_id AND v.session_id = w.session_id AND v.sequence > w.sequence AND v.received_at <= ts
          AND v.event IN ('peer-up', 'peer-down')) THEN 'peer went up or down since'
      WHEN w.station_routes = 0 AND NOT bmp.is_monitored(w.peer_id, w.rib_view) THEN 'view not monitored'
      WHEN abs(w.difference) <= w.later THEN 'changing' END AS reason
    FROM pair w)
  SELECT r.name, p.address, p.asn, bmp.bgp_id_text(p.bgp_id), bmp.peer_type_text(p.peer_type),
    bmp.distinguisher_text(p.distinguisher), p.table_name, bmp.rib_view_text(j.rib_view),
    nullif(j.family, 0) >> 8, nullif(j.family, 0) & 255, CASE WHEN j.family <> 0 THEN bmp.family_text(j.family) END,
    CASE WHEN j.reason IS NOT NULL THEN 'unknown' WHEN j.difference = 0 THEN 'equal' ELSE 'differs' END, j.reason, j.station_routes,
    j.router_gauge, j.difference, j.later, j.name, j.received_at, d.since, j.peer_id,
    CASE WHEN ts IS NULL AND j.family <> 0 THEN EXISTS (SELECT FROM bmp.rib_end_of_rib e WHERE e.peer_id = j.peer_id
      AND e.rib_view = j.rib_view AND e.family IN (j.family, 0)
      AND e.session_id >= (SELECT n.session_id FROM bmp.live_session n WHERE n.router_id = p.router_id)) END
  FROM judged j JOIN bmp.peer p USING (peer_id) JOIN bmp.router r USING (router_id)
    LEFT JOIN bmp.reconcile_difference d ON ts IS NULL AND d.peer_id = j.peer_id AND d.rib_view = j.rib_view AND d.family = j.family
  ORDER BY r.name, p.address, p.distinguisher, j.rib_view, j.family
$$;
COMMENT ON FUNCTION bmp.reconcile IS 'The number of routes of each table as the station and as its router count them, from the gauges of RFC 7854, RFC 8671 and RFC 9972. A family of null means all families together. state: equal, differs, or unknown with a reason. changes_since: events after the gauge, which are counted only where the two counts differ; only those of the last ten seconds if they explain the difference. With a time, routes and gauges are those at that time; differs_since and table_synchronized are null, and the views that a router sends are those that it sends now';

CREATE OR REPLACE FUNCTION bmp.reconcile_measure(max_age interval, alarm_after interval) RETURNS TABLE (
  rib_view text, equal bigint, differs bigint, unknown bigint, overdue bigint) LANGUAGE sql AS $$
  WITH found AS MATERIALIZED (
    SELECT r.peer_id, bmp.rib_view_code(r.rib_view) AS rib_view, coalesce(r.afi << 8 | r.safi, 0) AS family, r.state,
      r.state = 'differs' OR r.reason = 'changing' AND r.differs_since IS NOT NULL AS open, r.difference, r.differs_since
    FROM bmp.reconcile(max_age) r),
  settled AS (
    DELETE FROM bmp.reconcile_difference d WHERE NOT EXISTS (SELECT FROM found f
      WHERE f.peer_id = d.peer_id AND f.rib_view = d.rib_view AND f.family = d.family AND f.open)),
  recorded AS (
    INSERT INTO bmp.reconcile_difference AS d (peer_id, rib_view, family, since, difference)
    SELECT f.peer_id, f.rib_view, f.family, now(), f.difference FROM found f WHERE f.state = 'differs'
    ON CONFLICT (peer_id, rib_view, family) DO UPDATE SET difference = excluded.difference
      WHERE d.difference <> excluded.difference)
  SELECT bmp.rib_view_text(c::smallint), count(*) FILTER (WHERE f.state = 'equal'),
    count(*) FILTER (WHERE f.state = 'differs'), count(*) FILTER (WHERE f.state = 'unknown'),
    count(*) FILTER (WHERE f.open AND f.differs_since <= now() - alarm_after)
  FROM generate_series(0, 4) c LEFT JOIN found f ON f.rib_view = c
  GROUP BY c ORDER BY c
$$;
COMMENT ON FUNCTION bmp.reconcile_measure IS 'Internal: records since when which tables differ and returns, for each view, how many tables are equal, differ, are not comparable, and have differed for longer than alarm_after. A table that changes too much to be compared keeps its previous state';
