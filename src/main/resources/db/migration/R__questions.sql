-- Questions: docs/sql.md has an example of each, and says what they cost. They are plain SQL in one SELECT each, so that
-- PostgreSQL unfolds them into the query that asks: a condition on the result reaches the tables' indexes.

-- The part of an NLRI that tells routes of a family apart (RFC 7432, Section 7; RFC 9136, Section 3; RFC 9251, Section 9 for
-- EVPN; all of it elsewhere), as in rib_route.
CREATE OR REPLACE FUNCTION bmp.nlri_key(family integer, nlri bytea) RETURNS bytea
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  type integer;
  length integer := octet_length(nlri);
BEGIN
  IF family <> 6470 OR length < 2 THEN
    RETURN nlri;
  END IF;
  type := get_byte(nlri, 0);
  RETURN substr(nlri, 1, 1) || CASE
    WHEN type = 1 AND length = 27 THEN substr(nlri, 3, 22)
    WHEN type = 2 AND length >= 35 THEN substr(nlri, 3, 8) || substr(nlri, 21, 12 + get_byte(nlri, 31) / 8)
    WHEN type = 5 AND length IN (36, 60) THEN substr(nlri, 3, 8) || substr(nlri, 21, CASE length WHEN 36 THEN 9 ELSE 21 END)
    WHEN type IN (6, 7) AND length > 3 THEN substr(nlri, 3, length - 3)
    WHEN type = 8 AND length > 8 THEN substr(nlri, 3, length - 8)
    ELSE substr(nlri, 2) END;
END $$;

-- The base to begin with for a time; -infinity where the history itself goes back to the beginning.
CREATE OR REPLACE FUNCTION bmp.base_for(ts timestamptz) RETURNS timestamptz LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
DECLARE
  base timestamptz := (SELECT max(at) FROM bmp.route_base_made WHERE at <= ts);
  horizon timestamptz;
BEGIN
  IF base IS NULL AND ts IS NOT NULL THEN
    SELECT min(at) INTO horizon FROM bmp.route_base_made WHERE history_gone;
    IF horizon IS NOT NULL THEN
      RAISE invalid_parameter_value USING MESSAGE = format('the history begins at %s, %s is before', horizon, ts),
        HINT = 'silkroute.history.retention says how long it is kept';
    END IF;
  END IF;
  RETURN coalesce(base, '-infinity');
END $$;

-- The peers that a question is about; null for a router or an address: any.
CREATE OR REPLACE FUNCTION bmp.peers_of(of_router text, of_peer inet) RETURNS integer[] LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT coalesce(array_agg(p.peer_id), '{}') FROM bmp.peer p JOIN bmp.router r USING (router_id)
  WHERE (of_router IS NULL OR r.name = of_router) AND (of_peer IS NULL OR p.address = of_peer)
$$;

-- Withdrawals of routes whose peer is down, or that time has ended, as far as they aren't written yet; as they will be. Null for a prefix:
-- all. Without OFFSET 0 PostgreSQL might read all routes to find that there are none, which is how it mostly is.
CREATE OR REPLACE FUNCTION bmp.unwritten_withdrawals(of_prefix cidr) RETURNS TABLE (
  received_at timestamptz, router_time timestamptz, session_id bigint, sequence bigint, path_id bigint, rd bigint,
  peer_id integer, family integer, rib_view smallint, action smallint, synthetic boolean, attr uuid, prefix cidr, nlri bytea,
  labels integer[], nlri_as_text text, path_status bigint, path_reason integer)
LANGUAGE sql STABLE PARALLEL SAFE ROWS 1000 AS $$
  SELECT d.received_at, NULL::timestamptz, d.session_id, d.sequence, nullif(r.path_id, -1), CASE WHEN bmp.has_rd(r.family) THEN r.rd END,
    d.peer_id, r.family, d.rib_view, 0::smallint, true, NULL::uuid, CASE WHEN r.nlri = '' THEN r.prefix END,
    CASE WHEN r.nlri <> '' THEN coalesce(r.long_nlri, r.nlri) END, NULL::integer[], r.nlri_as_text, NULL::bigint, NULL::integer
  FROM bmp.rib_ended d CROSS JOIN LATERAL (SELECT * FROM bmp.rib_route q
    WHERE (q.peer_id::bigint << 3 | q.rib_view) = (d.peer_id::bigint << 3 | d.rib_view) AND q.generation = d.generation
      AND (of_prefix IS NULL OR q.prefix = of_prefix AND q.nlri = '') OFFSET 0) r
$$;

-- All that was said from a base until a time, the base's routes as the announcements that they were.
CREATE OR REPLACE FUNCTION bmp.events_until(ts timestamptz) RETURNS TABLE (
  received_at timestamptz, router_time timestamptz, session_id bigint, sequence bigint, path_id bigint, rd bigint,
  peer_id integer, family integer, rib_view smallint, action smallint, synthetic boolean, attr uuid, prefix cidr, nlri bytea,
  labels integer[], nlri_as_text text, path_status bigint, path_reason integer)
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT e.received_at, e.router_time, e.session_id, e.sequence, e.path_id, e.rd, e.peer_id, e.family, e.rib_view, e.action,
    e.synthetic, e.attr, e.prefix, e.nlri, e.labels, e.nlri_as_text, e.path_status, e.path_reason
  FROM bmp.route_event e WHERE e.received_at <= ts AND e.received_at >= (SELECT bmp.base_for(ts))
  UNION ALL
  SELECT b.received_at, b.router_time, b.session_id, b.sequence, b.path_id, b.rd, b.peer_id, b.family, b.rib_view,
    1::smallint, false, b.attr, b.prefix, b.nlri, b.labels, b.nlri_as_text, b.path_status, b.path_reason
  FROM bmp.route_base b WHERE b.at = (SELECT bmp.base_for(ts))
$$;

-- The newest event of each route until a time, withdrawals too. The order is that of sessions and of what each of them
-- said, as it is for the current state.
CREATE OR REPLACE FUNCTION bmp.last_events(ts timestamptz, of_router text, of_peer inet, of_view text) RETURNS TABLE (
  received_at timestamptz, router_time timestamptz, session_id bigint, sequence bigint, path_id bigint, rd bigint,
  peer_id integer, family integer, rib_view smallint, action smallint, synthetic boolean, attr uuid, prefix cidr, nlri bytea,
  labels integer[], nlri_as_text text, path_status bigint, path_reason integer)
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT DISTINCT ON (e.prefix, e.peer_id, e.rib_view, e.family, e.rd, e.path_id, bmp.nlri_key(e.family, e.nlri))
    e.received_at, e.router_time, e.session_id, e.sequence, e.path_id, e.rd, e.peer_id, e.family, e.rib_view, e.action,
    e.synthetic, e.attr, e.prefix, e.nlri, e.labels, e.nlri_as_text, e.path_status, e.path_reason
  FROM bmp.events_until(ts) e
  WHERE (of_router IS NULL AND of_peer IS NULL OR e.peer_id = ANY ((SELECT bmp.peers_of(of_router, of_peer))::integer[]))
    AND (of_view IS NULL OR e.rib_view = bmp.rib_view_code(of_view))
  ORDER BY e.prefix, e.peer_id, e.rib_view, e.family, e.rd, e.path_id, bmp.nlri_key(e.family, e.nlri), e.session_id DESC,
    e.sequence DESC
$$;

-- What v_rib would have answered at a time. Who wants one router's or peer's tables names them as arguments, because a
-- condition on these columns would be met after all the others have been read too; conditions on the prefix, the NLRI, the
-- family or the view may stand outside. Here last_changed is the time of the announcement that made the route what it
-- was, even if it only said the same again; first_seen is null, for that would take all the history before. Stale: the
-- router had no session.
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
    bmp.path_status_texts(t.path_status) AS path_status, bmp.path_reason_text(t.path_reason) AS path_reason
  FROM bmp.last_events(rib_at.ts, rib_at.router, rib_at.peer_address, rib_at.rib_view) t
    LEFT JOIN bmp.peer p ON p.peer_id = t.peer_id
    LEFT JOIN bmp.router r ON r.router_id = p.router_id
    LEFT JOIN bmp.collector c ON c.name = r.collector  -- that of the router's newest session, and its newest start
    LEFT JOIN (SELECT DISTINCT ON (v.router_id) v.router_id, v.session_id, v.event = 'session-up' AS live
      FROM bmp.peer_event v WHERE v.event IN ('session-up', 'session-down') AND v.received_at <= rib_at.ts
      ORDER BY v.router_id, v.session_id DESC, v.sequence DESC) s ON s.router_id = p.router_id
    LEFT JOIN bmp.path_attributes a ON a.h = t.attr
  WHERE t.action = 1
    AND NOT EXISTS (  -- of a peer that is down, and whose routes' withdrawals are still being written
      SELECT FROM bmp.rib_ended d WHERE d.peer_id = t.peer_id AND d.rib_view = t.rib_view AND d.received_at <= rib_at.ts
        AND (d.session_id, d.sequence) > (t.session_id, t.sequence))
$$;

-- Which attributes differ, by the names that they have in the column attributes (docs/attributes.md).
CREATE OR REPLACE FUNCTION bmp.changed_attributes(old jsonb, new jsonb) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT ARRAY(
    SELECT coalesce(o.key, n.key)
    FROM jsonb_each(coalesce(old, '{}')) o FULL JOIN jsonb_each(coalesce(new, '{}')) n ON n.key = o.key
    WHERE o.value IS DISTINCT FROM n.value ORDER BY 1)
$$;

-- The same of two announcements, with what is beside the attributes.
CREATE OR REPLACE FUNCTION bmp.route_changes(old_attr uuid, old jsonb, old_labels integer[], old_status bigint,
  old_reason integer, new_attr uuid, new jsonb, new_labels integer[], new_status bigint, new_reason integer)
RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN old_attr = new_attr THEN '{}' ELSE coalesce(nullif(bmp.changed_attributes(old, new), '{}'), '{raw}') END
    || CASE WHEN old_labels IS DISTINCT FROM new_labels THEN '{labels}'::text[] ELSE '{}' END
    || CASE WHEN old_status IS DISTINCT FROM new_status THEN '{path_status}'::text[] ELSE '{}' END
    || CASE WHEN old_reason IS DISTINCT FROM new_reason THEN '{path_reason}'::text[] ELSE '{}' END
$$;

-- Whether all is known of what is between two times: true, or an error. Without columns in it PostgreSQL asks it before it reads
-- anything, whereas what stands beside a column of a table is never asked where nothing is read of the table.
CREATE OR REPLACE FUNCTION bmp.is_known(t1 timestamptz, t2 timestamptz) RETURNS boolean LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  IF t1 > t2 THEN
    RAISE invalid_parameter_value USING MESSAGE = format('%s is after %s: give the earlier time first', t1, t2);
  END IF;
  RETURN bmp.base_for(t1) IS NOT NULL;
END $$;
DROP FUNCTION IF EXISTS bmp.first_of(timestamptz, timestamptz);

-- What rib_at(t2) has other than rib_at(t1). Of the history it reads what happened in between, and of the time before what
-- concerns the prefixes that it happened to; within = '10.0.0.0/8' reads no others at all.
CREATE OR REPLACE FUNCTION bmp.rib_diff(t1 timestamptz, t2 timestamptz, router text DEFAULT NULL,
  peer_address inet DEFAULT NULL, rib_view text DEFAULT NULL, within cidr DEFAULT NULL) RETURNS TABLE (
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
    FROM (
      SELECT h.received_at, h.session_id, h.sequence, h.path_id, h.rd, h.peer_id, h.family, h.rib_view, h.action, h.synthetic, h.attr,
        h.prefix, h.nlri, h.labels, h.nlri_as_text, h.path_status, h.path_reason
      FROM bmp.route_event h
      UNION ALL
      SELECT w.received_at, w.session_id, w.sequence, w.path_id, w.rd, w.peer_id, w.family, w.rib_view, w.action, w.synthetic, w.attr,
        w.prefix, w.nlri, w.labels, w.nlri_as_text, w.path_status, w.path_reason
      FROM bmp.unwritten_withdrawals(NULL) w) e
    WHERE e.received_at > t1 AND e.received_at <= t2
      AND (rib_diff.router IS NULL AND rib_diff.peer_address IS NULL
        OR e.peer_id = ANY ((SELECT bmp.peers_of(rib_diff.router, rib_diff.peer_address))::integer[]))
      AND (rib_diff.rib_view IS NULL OR e.rib_view = bmp.rib_view_code(rib_diff.rib_view))
      AND (within IS NULL OR e.prefix <<= within)
    ORDER BY e.prefix, e.peer_id, e.rib_view, e.family, e.rd, e.path_id, bmp.nlri_key(e.family, e.nlri), e.session_id DESC,
      e.sequence DESC),
  before AS (
    SELECT b.* FROM (
      SELECT DISTINCT ON (e.prefix, e.peer_id, e.rib_view, e.family, e.rd, e.path_id, bmp.nlri_key(e.family, e.nlri)) e.*,
        bmp.nlri_key(e.family, e.nlri) AS key
      FROM bmp.events_until(t1) e
      WHERE coalesce(e.prefix, '::/128') IN (SELECT coalesce(t.prefix, '::/128') FROM touched t)
        AND (rib_diff.router IS NULL AND rib_diff.peer_address IS NULL
          OR e.peer_id = ANY ((SELECT bmp.peers_of(rib_diff.router, rib_diff.peer_address))::integer[]))
        AND (rib_diff.rib_view IS NULL OR e.rib_view = bmp.rib_view_code(rib_diff.rib_view))
        AND (within IS NULL OR e.prefix <<= within)
      ORDER BY e.prefix, e.peer_id, e.rib_view, e.family, e.rd, e.path_id, bmp.nlri_key(e.family, e.nlri), e.session_id DESC,
        e.sequence DESC) b
    WHERE NOT EXISTS (SELECT FROM bmp.rib_ended d WHERE d.peer_id = b.peer_id AND d.rib_view = b.rib_view AND d.received_at <= t1
      AND (d.session_id, d.sequence) > (b.session_id, b.sequence)))
  SELECT CASE WHEN n.action = 0 THEN 'removed' WHEN o.action = 1 THEN 'changed' ELSE 'added' END,
    r.name, p.address, p.asn, bmp.bgp_id_text(p.bgp_id), bmp.peer_type_text(p.peer_type),
    bmp.distinguisher_text(p.distinguisher), p.table_name, bmp.rib_view_text(n.rib_view), n.family >> 8, n.family & 255,
    bmp.family_text(n.family), CASE WHEN bmp.has_rd(n.family) THEN bmp.rd_text(n.rd) END, n.prefix,
    coalesce(n.nlri_as_text, bmp.nlri_text(n.family, n.rd, n.prefix, n.nlri)), n.path_id,
    CASE WHEN n.action = 1 AND o.action = 1 THEN bmp.route_changes(o.attr, a.attributes, o.labels, o.path_status,
      o.path_reason, n.attr, b.attributes, n.labels, n.path_status, n.path_reason) END,
    a.next_hop, b.next_hop, a.origin, b.origin, a.as_path, b.as_path, a.origin_asn, b.origin_asn, a.med, b.med, a.local_pref,
    b.local_pref, a.communities, b.communities, a.large_communities, b.large_communities, a.ext_communities,
    b.ext_communities, CASE WHEN o.action = 1 THEN o.labels END, CASE WHEN n.action = 1 THEN n.labels END, a.attributes,
    b.attributes, bmp.path_status_texts(o.path_status), bmp.path_status_texts(n.path_status),
    bmp.path_reason_text(o.path_reason), bmp.path_reason_text(n.path_reason), o.received_at, n.received_at, n.synthetic
  FROM touched n
    LEFT JOIN before o ON coalesce(o.prefix, '::/128') = coalesce(n.prefix, '::/128') AND o.peer_id = n.peer_id
      AND o.rib_view = n.rib_view AND o.family = n.family AND coalesce(o.rd, 0) = coalesce(n.rd, 0)
      AND coalesce(o.path_id, -1) = coalesce(n.path_id, -1) AND coalesce(o.key, '') = coalesce(n.key, '')
    LEFT JOIN bmp.path_attributes a ON a.h = o.attr
    LEFT JOIN bmp.path_attributes b ON b.h = n.attr
    LEFT JOIN bmp.peer p ON p.peer_id = n.peer_id
    LEFT JOIN bmp.router r ON r.router_id = p.router_id
  WHERE bmp.is_known(t1, t2) AND (o.action IS NULL OR (o.session_id, o.sequence) < (n.session_id, n.sequence))
    AND (n.action = 1 AND o.action IS DISTINCT FROM 1 OR n.action = 0 AND o.action = 1
      OR n.action = 1 AND o.action = 1 AND (n.attr IS DISTINCT FROM o.attr OR n.labels IS DISTINCT FROM o.labels
        OR n.path_status IS DISTINCT FROM o.path_status OR n.path_reason IS DISTINCT FROM o.path_reason
        OR n.nlri IS DISTINCT FROM o.nlri))
$$;

-- All that happened to one prefix, as far back as the history goes, and what each event changed.
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
      SELECT u.*, lag(u.action) OVER w AS old_action, lag(u.attr) OVER w AS old_attr, lag(u.labels) OVER w AS old_labels,
        lag(u.path_status) OVER w AS old_status, lag(u.path_reason) OVER w AS old_reason
      FROM (
        SELECT h.received_at, h.router_time, h.session_id, h.sequence, h.path_id, h.rd, h.peer_id, h.family, h.rib_view,
          h.action, h.synthetic, h.attr, h.labels, h.path_status, h.path_reason
        FROM bmp.route_event h
        WHERE h.prefix = route_timeline.prefix AND h.received_at >= coalesce(
          (SELECT min(m.at) FROM bmp.route_base_made m WHERE m.history_gone), '-infinity')
        UNION ALL
        SELECT d.received_at, d.router_time, d.session_id, d.sequence, d.path_id, d.rd, d.peer_id, d.family, d.rib_view, d.action,
          d.synthetic, d.attr, d.labels, d.path_status, d.path_reason
        FROM bmp.unwritten_withdrawals(route_timeline.prefix) d
        UNION ALL
        SELECT b.received_at, b.router_time, b.session_id, b.sequence, b.path_id, b.rd, b.peer_id, b.family, b.rib_view,
          1::smallint, false, b.attr, b.labels, b.path_status, b.path_reason
        FROM bmp.route_base b
        WHERE b.prefix = route_timeline.prefix
          AND b.at = (SELECT min(m.at) FROM bmp.route_base_made m WHERE m.history_gone)) u
      WHERE (route_timeline.router IS NULL AND route_timeline.peer_address IS NULL
          OR u.peer_id = ANY ((SELECT bmp.peers_of(route_timeline.router, route_timeline.peer_address))::integer[]))
        AND (route_timeline.rib_view IS NULL OR u.rib_view = bmp.rib_view_code(route_timeline.rib_view))
      WINDOW w AS (PARTITION BY u.peer_id, u.rib_view, u.family, u.rd, u.path_id ORDER BY u.session_id, u.sequence)) e
    LEFT JOIN bmp.path_attributes a ON a.h = e.attr
    LEFT JOIN bmp.path_attributes o ON o.h = e.old_attr
    LEFT JOIN bmp.peer p ON p.peer_id = e.peer_id
    LEFT JOIN bmp.router r ON r.router_id = p.router_id
    CROSS JOIN LATERAL (SELECT bmp.route_changes(e.old_attr, o.attributes, e.old_labels, e.old_status, e.old_reason, e.attr,
      a.attributes, e.labels, e.path_status, e.path_reason) AS changed) c
  ORDER BY e.received_at, e.session_id, e.sequence
$$;

-- Whether we are shown a view of a peer: its own Peer Up said so, or its routes have come in the router's newest session.
CREATE OR REPLACE FUNCTION bmp.is_shown(of_peer integer, view smallint) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM bmp.peer_state s WHERE s.peer_id = of_peer AND s.rib_view = view AND s.up)
    OR EXISTS (SELECT FROM bmp.rib_table t JOIN bmp.peer p USING (peer_id) LEFT JOIN bmp.live_session l USING (router_id)
      WHERE t.peer_id = of_peer AND t.rib_view = view AND NOT t.blank AND t.session_id >= coalesce(l.session_id, t.session_id))
$$;

-- What a route has in v_rib, in one value.
CREATE OR REPLACE FUNCTION bmp.route_json(attributes jsonb, labels integer[], path_status text[], path_reason text)
RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(attributes, '{}') || jsonb_strip_nulls(jsonb_build_object('labels', to_jsonb(labels),
    'path_status', to_jsonb(path_status), 'path_reason', path_reason))
$$;

-- One prefix in the five views, a row for each path of each peer and direction. In: what the peer sent, what policy left of
-- it, what the router chose. Out: what the router chose, what it has for the peer, what policy left of that. Null where
-- there is no route; what "no route" means is in the outcome, for a view that we aren't shown has none either.
CREATE OR REPLACE FUNCTION bmp.compare_views(prefix cidr) RETURNS TABLE (
  router text, peer_address inet, peer_asn bigint, peer_bgp_id inet, peer_type text, peer_distinguisher text, family text,
  rd text, prefix cidr, path_id bigint, direction text, outcome text, changed text[], selected boolean,
  adj_rib_in_pre jsonb, adj_rib_in_post jsonb, loc_rib jsonb, adj_rib_out_pre jsonb, adj_rib_out_post jsonb, stale boolean)
LANGUAGE sql STABLE ROWS 10 AS $$
  WITH route AS MATERIALIZED (
    SELECT v.*, bmp.route_json(v.attributes, v.labels, v.path_status, v.path_reason) AS all_of_it
    FROM bmp.v_rib v WHERE v.prefix = compare_views.prefix),
  side AS (  -- a direction of a peer, by path; for a peer that gets no route of a table that has one, a row without path
    SELECT peer_id, rib_view LIKE 'adj-rib-out%' AS out, router, peer_distinguisher, family, rd, path_id
    FROM route WHERE rib_view <> 'loc-rib'
    UNION
    SELECT p.peer_id, true, l.router, l.peer_distinguisher, l.family, l.rd, NULL
    FROM route l JOIN bmp.router r ON r.name = l.router JOIN bmp.peer p USING (router_id)
    WHERE l.rib_view = 'loc-rib' AND bmp.distinguisher_text(p.distinguisher) = l.peer_distinguisher AND p.peer_type <> 3
      AND (bmp.is_shown(p.peer_id, 2::smallint) OR bmp.is_shown(p.peer_id, 3::smallint))
      AND NOT EXISTS (SELECT FROM route o WHERE o.peer_id = p.peer_id AND o.rib_view LIKE 'adj-rib-out%'
        AND o.family = l.family AND o.rd IS NOT DISTINCT FROM l.rd)),
  pair AS (
    SELECT s.*, pre.all_of_it AS pre, post.all_of_it AS post, loc.best AS loc, loc.same AS selected,
      bmp.is_shown(s.peer_id, CASE WHEN s.out THEN 2 ELSE 0 END::smallint) AS pre_shown,
      bmp.is_shown(s.peer_id, CASE WHEN s.out THEN 3 ELSE 1 END::smallint) AS post_shown,
      coalesce(pre.stale, false) OR coalesce(post.stale, false) AS stale
    FROM side s
      LEFT JOIN route pre ON pre.peer_id = s.peer_id AND pre.family = s.family AND pre.rd IS NOT DISTINCT FROM s.rd
        AND pre.path_id IS NOT DISTINCT FROM s.path_id
        AND pre.rib_view = CASE WHEN s.out THEN 'adj-rib-out-pre' ELSE 'adj-rib-in-pre' END
      LEFT JOIN route post ON post.peer_id = s.peer_id AND post.family = s.family AND post.rd IS NOT DISTINCT FROM s.rd
        AND post.path_id IS NOT DISTINCT FROM s.path_id
        AND post.rib_view = CASE WHEN s.out THEN 'adj-rib-out-post' ELSE 'adj-rib-in-post' END
      LEFT JOIN LATERAL (  -- the router's own choice; of several paths the one that looks like this
        SELECT l.all_of_it AS best, (l.as_path, l.next_hop, l.origin) IS NOT DISTINCT FROM (coalesce(post.as_path, pre.as_path),
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
      WHERE r.name = w.router AND l.peer_type = 3 AND bmp.is_shown(l.peer_id, 4::smallint)) THEN false END) END,
    CASE WHEN NOT w.out THEN w.pre END, CASE WHEN NOT w.out THEN w.post END, w.loc, CASE WHEN w.out THEN w.pre END,
    CASE WHEN w.out THEN w.post END, w.stale
  FROM pair w JOIN bmp.peer p USING (peer_id)
  UNION ALL
  SELECT l.router, l.peer_address, l.peer_asn, l.peer_bgp_id, l.peer_type, l.peer_distinguisher, l.family, l.rd, l.prefix,
    l.path_id, 'loc-rib', 'chosen', NULL, NULL, NULL, NULL, l.all_of_it, NULL, NULL, l.stale
  FROM route l WHERE l.rib_view = 'loc-rib'
  ORDER BY 1, 11, 2, 3, 7, 8, 10
$$;

-- Our counts beside the router's own, of RFC 7854 (Section 4.8), RFC 8671 (Section 6.2) and RFC 9972: the newest gauge of each
-- table, of the router's live session and not older than max_age. A family of null is all families together. What was
-- said of the table after the gauge may explain a difference as large as it: then the two are not comparable ("unknown"),
-- and only a difference beyond that is one.
CREATE OR REPLACE FUNCTION bmp.reconcile(max_age interval DEFAULT '1 hour') RETURNS TABLE (
  router text, peer_address inet, peer_asn bigint, peer_bgp_id inet, peer_type text, peer_distinguisher text,
  table_name text, rib_view text, afi integer, safi integer, family text, state text, reason text, our_count bigint, router_count numeric,
  difference numeric, changes_since bigint, name text, statistic_at timestamptz, differs_since timestamptz, peer_id integer)
LANGUAGE sql STABLE ROWS 100 AS $$
  WITH gauge (type, rib_view, rank) AS (VALUES  -- Adj-RIB-In without policy said is the one before it, if none says so clearer
    (18, 0, 1), (19, 0, 1), (7, 0, 2), (9, 0, 2), (20, 1, 1), (21, 1, 1), (14, 2, 1), (16, 2, 1), (15, 3, 1), (17, 3, 1),
    (8, 4, 1), (10, 4, 1)),
  theirs AS MATERIALIZED (
    SELECT DISTINCT ON (p.peer_id, g.rib_view, coalesce(s.afi << 8 | s.safi, 0)) p.peer_id, g.rib_view,
      coalesce(s.afi << 8 | s.safi, 0) AS family, s.value, s.name, s.received_at, s.session_id, s.sequence
    FROM bmp.statistic s JOIN gauge g ON g.type = s.type
      JOIN bmp.live_session l ON l.router_id = s.router_id AND l.session_id = s.session_id AND l.live
      JOIN bmp.peer p ON p.router_id = s.router_id AND p.peer_type = s.peer_type AND p.distinguisher = s.distinguisher
        AND p.address = s.address AND (p.bgp_id = s.bgp_id OR s.bgp_id = 0)
    WHERE s.received_at > now() - max_age AND s.value IS NOT NULL AND (s.type NOT IN (8, 10) OR s.peer_type = 3)
    ORDER BY p.peer_id, g.rib_view, coalesce(s.afi << 8 | s.safi, 0), g.rank, s.session_id DESC, s.sequence DESC, s.n DESC),
  ours AS MATERIALIZED (
    SELECT v.peer_id, bmp.rib_view_code(v.rib_view) AS rib_view, coalesce(v.afi << 8 | v.safi, 0) AS family,
      count(*) FILTER (WHERE NOT v.stale) AS routes
    FROM bmp.v_rib v GROUP BY GROUPING SETS ((v.peer_id, v.rib_view, v.afi << 8 | v.safi), (v.peer_id, v.rib_view))),
  later AS MATERIALIZED (  -- what is confirmed while the table comes again leaves no event, nor a time: all of it may be later
    SELECT n.peer_id, n.rib_view, n.family, sum(n.events)::bigint AS events
    FROM (
      SELECT t.peer_id, t.rib_view, t.family, count(*) AS events
      FROM theirs t JOIN bmp.route_event e ON e.peer_id = t.peer_id AND e.rib_view = t.rib_view
        AND (t.family = 0 OR e.family = t.family) AND (e.session_id, e.sequence) > (t.session_id, t.sequence)
      WHERE e.received_at >= (SELECT min(m.received_at) FROM theirs m)
      GROUP BY 1, 2, 3
      UNION ALL
      SELECT t.peer_id, t.rib_view, t.family, cardinality(c.routes)
      FROM theirs t JOIN bmp.rib_confirmed c ON c.peer_id = t.peer_id AND c.rib_view = t.rib_view
        AND (t.family = 0 OR c.family = t.family) AND c.session_id = t.session_id) n
    GROUP BY 1, 2, 3),
  pair AS (
    SELECT coalesce(o.peer_id, t.peer_id) AS peer_id, coalesce(o.rib_view, t.rib_view)::smallint AS rib_view,
      coalesce(o.family, t.family) AS family, coalesce(o.routes, 0) AS ours, t.value AS theirs,
      coalesce(o.routes, 0) - t.value AS difference, coalesce(n.events, 0) AS later, t.name, t.received_at, t.session_id, t.sequence
    FROM ours o FULL JOIN theirs t ON t.peer_id = o.peer_id AND t.rib_view = o.rib_view AND t.family = o.family
      LEFT JOIN later n ON n.peer_id = t.peer_id AND n.rib_view = t.rib_view AND n.family = t.family
    WHERE t.peer_id IS NOT NULL OR o.family <> 0),
  judged AS (
    SELECT w.*, CASE
      WHEN w.theirs IS NULL THEN 'no statistic'
      WHEN w.difference = 0 THEN NULL
      WHEN EXISTS (SELECT FROM bmp.peer_state s WHERE s.peer_id = w.peer_id AND s.session_id = w.session_id
        AND s.sequence > w.sequence) THEN 'peer went up or down since'
      WHEN w.ours = 0 AND NOT bmp.is_shown(w.peer_id, w.rib_view) THEN 'view not shown'
      WHEN abs(w.difference) <= w.later THEN 'changing' END AS reason
    FROM pair w)
  SELECT r.name, p.address, p.asn, bmp.bgp_id_text(p.bgp_id), bmp.peer_type_text(p.peer_type),
    bmp.distinguisher_text(p.distinguisher), p.table_name, bmp.rib_view_text(j.rib_view),
    nullif(j.family, 0) >> 8, nullif(j.family, 0) & 255, CASE WHEN j.family <> 0 THEN bmp.family_text(j.family) END,
    CASE WHEN j.reason IS NOT NULL THEN 'unknown' WHEN j.difference = 0 THEN 'equal' ELSE 'differs' END, j.reason, j.ours,
    j.theirs, j.difference, j.later, j.name, j.received_at, d.since, j.peer_id
  FROM judged j JOIN bmp.peer p USING (peer_id) JOIN bmp.router r USING (router_id)
    LEFT JOIN bmp.reconcile_difference d ON d.peer_id = j.peer_id AND d.rib_view = j.rib_view AND d.family = j.family
  ORDER BY r.name, p.address, p.distinguisher, j.rib_view, j.family
$$;

-- Notes since when which tables differ, and answers for each view how many tables are equal, differ, can't be compared, and
-- differ for longer than alarm_after. A table that changes too much to be compared is what it was before.
CREATE OR REPLACE FUNCTION bmp.reconcile_measure(max_age interval, alarm_after interval) RETURNS TABLE (
  rib_view text, equal bigint, differs bigint, unknown bigint, overdue bigint) LANGUAGE sql AS $$
  WITH found AS MATERIALIZED (
    SELECT r.peer_id, bmp.rib_view_code(r.rib_view) AS rib_view, coalesce(r.afi << 8 | r.safi, 0) AS family, r.state,
      r.state = 'differs' OR r.reason = 'changing' AND r.differs_since IS NOT NULL AS open, r.difference, r.differs_since
    FROM bmp.reconcile(max_age) r),
  settled AS (
    DELETE FROM bmp.reconcile_difference d WHERE NOT EXISTS (SELECT FROM found f
      WHERE f.peer_id = d.peer_id AND f.rib_view = d.rib_view AND f.family = d.family AND f.open)),
  noted AS (
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
