-- The current state: what withdrawing routes needs, and rebuilding the state from the history
-- (docs/explanation/state.md). Parameters that would be ambiguous with columns begin with in_.

-- The ids of the routes of a peer that this or a newer session has confirmed, recorded after the entry with the given
-- id. PL/pgSQL with a low estimate of rows, so that the planner evaluates it once and hashes the result whatever its
-- size.
CREATE OR REPLACE FUNCTION bmp.route_ids_confirmed_since(in_peer_id integer, in_session_id bigint, in_after_id bigint)
RETURNS SETOF bigint LANGUAGE plpgsql STABLE ROWS 1000 AS $$
BEGIN
  RETURN QUERY SELECT unnest(c.route_ids) FROM bmp.rib_confirmed c
    WHERE c.peer_id = in_peer_id AND c.session_id >= in_session_id AND c.id > in_after_id;
END $$;
COMMENT ON FUNCTION bmp.route_ids_confirmed_since IS 'Internal: the ids of the routes of a peer that this or a newer session has confirmed, recorded after the entry with the given id';

-- The events that ended a peer's table after a session sent an event for it: each Peer Down of this or a newer session.
-- If no newer session has a Peer Down and the state has no route of this session any more, the beginning of the
-- router's next session counts as the end. With a family, so does an End-of-RIB for it in a newer session, and any
-- newer session for a table that the state never had.
CREATE OR REPLACE FUNCTION bmp.table_ends(in_peer_id integer, in_rib_view smallint, in_session_id bigint, in_family integer)
RETURNS TABLE (session_id bigint, sequence bigint, received_at timestamptz, peer_down boolean) LANGUAGE plpgsql STABLE AS $$
DECLARE
  p bmp.peer := (SELECT q FROM bmp.peer q WHERE q.peer_id = in_peer_id);
  -- The sequence of an event after all events of a session; WithdrawalTask.AFTER_ALL in Java.
  after_all CONSTANT bigint := (1::bigint << 48) - 1;
  in_state boolean;       -- the state has had the table
  synchronized boolean;   -- a newer session has sent its End-of-RIB
  replaced boolean;       -- a newer session has sent events and the state has no route of this session
BEGIN
  SELECT true, t.session_id > in_session_id AND y.session_id > in_session_id,
    t.session_id > in_session_id AND (t.empty OR t.oldest_session_id > in_session_id)
  INTO in_state, synchronized, replaced
  FROM bmp.rib_table t
    LEFT JOIN bmp.rib_sync y ON y.peer_id = t.peer_id AND y.rib_view = t.rib_view AND y.family = in_family
  WHERE t.peer_id = in_peer_id AND t.rib_view = in_rib_view;

  FOR session_id, sequence, received_at, peer_down IN
    SELECT d.session_id, d.sequence, d.received_at, true FROM bmp.peer_event d
    WHERE d.session_id IN (SELECT in_session_id UNION SELECT v.session_id FROM bmp.peer_event v
        WHERE v.router_id = p.router_id AND v.event IN ('session-up', 'session-down') AND v.session_id > in_session_id)
      AND d.event = 'peer-down' AND d.router_id = p.router_id AND d.peer_type = p.peer_type
      AND d.distinguisher = p.distinguisher AND d.address = p.address AND (d.bgp_id = p.bgp_id OR d.bgp_id = 0)
      AND ((d.detail->>'all_views')::boolean IS NOT FALSE OR d.rib_view = in_rib_view)
  LOOP
    replaced := replaced AND session_id = in_session_id;
    RETURN NEXT;
  END LOOP;

  IF synchronized OR replaced OR in_state IS NULL AND in_family IS NOT NULL THEN
    RETURN QUERY
    SELECT v.session_id, v.sequence, v.received_at, false FROM bmp.peer_event v
    WHERE v.router_id = p.router_id AND v.event = 'session-up' AND v.session_id > in_session_id
    ORDER BY v.session_id LIMIT 1;
    IF in_state AND NOT FOUND THEN  -- The time is unknown: withdraw now, as for a stale table.
      RETURN QUERY SELECT in_session_id, after_all, now(), false;
    END IF;
  END IF;
END $$;
COMMENT ON FUNCTION bmp.table_ends IS 'Internal: the events that ended a peer''s table after a session sent an event for it: each Peer Down of this or a newer session';

CREATE OR REPLACE FUNCTION bmp.withdraw_redecoded(in_session_id bigint, in_messages bigint[], in_first timestamptz,
  in_last timestamptz) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  ended_at timestamptz;
  inserted bigint;
  total bigint := 0;
BEGIN
  -- The last event of each route before each end of its table, if it is an announcement.
  CREATE TEMPORARY TABLE redecoded_route AS
  WITH redecoded AS MATERIALIZED (
    SELECT e.*, coalesce(bmp.nlri_key(e.family, e.nlri), '') AS key FROM bmp.route_event e
    WHERE e.received_at BETWEEN in_first AND in_last AND e.session_id = in_session_id
      AND e.sequence >> 16 = ANY (in_messages) AND NOT e.synthetic),
  ends AS MATERIALIZED (
    SELECT t.peer_id, t.rib_view, t.family, d.* FROM (SELECT DISTINCT peer_id, rib_view, family FROM redecoded) t
      CROSS JOIN LATERAL bmp.table_ends(t.peer_id, t.rib_view, in_session_id, t.family) d)
  SELECT g.* FROM (
    SELECT DISTINCT ON (l.prefix, l.peer_id, l.rib_view, l.family, l.rd, l.path_id, l.key, d.session_id, d.sequence)
      d.received_at, d.session_id, d.sequence, l.path_id, l.rd, l.peer_id, l.family, l.rib_view, l.prefix, l.nlri,
      l.nlri_as_text, l.key, l.action, d.peer_down
    FROM redecoded l CROSS JOIN LATERAL (SELECT n.* FROM ends n
      WHERE n.peer_id = l.peer_id AND n.rib_view = l.rib_view AND n.family = l.family
        AND (n.session_id, n.sequence) > (in_session_id, l.sequence)
      ORDER BY n.session_id, n.sequence LIMIT 1) d
    ORDER BY l.prefix, l.peer_id, l.rib_view, l.family, l.rd, l.path_id, l.key, d.session_id, d.sequence,
      l.sequence DESC) g
  WHERE g.action = 1;
  ANALYZE redecoded_route;

  -- A route that a newer session has confirmed exists, whatever happened before.
  DELETE FROM redecoded_route s USING bmp.rib_route r
  WHERE NOT s.peer_down AND r.prefix = coalesce(s.prefix, '::/128') AND r.peer_id = s.peer_id AND r.rib_view = s.rib_view
    AND r.family = s.family AND r.rd = coalesce(s.rd, 0) AND r.path_id = coalesce(s.path_id, -1)
    AND r.nlri = bmp.indexed_nlri_key(s.key);

  FOR ended_at IN SELECT DISTINCT received_at FROM redecoded_route LOOP
    PERFORM bmp.ensure_partitions(ended_at, ended_at);
    INSERT INTO bmp.route_event
    SELECT w.* FROM redecoded_route s
      CROSS JOIN LATERAL bmp.synthetic_withdrawal(ended_at, s.session_id, s.sequence, s.path_id, s.rd, s.peer_id, s.family,
        s.rib_view, s.prefix, s.nlri, s.nlri_as_text) w
    WHERE s.received_at = ended_at AND NOT EXISTS (SELECT FROM bmp.route_event e
      WHERE e.received_at = ended_at AND e.session_id = s.session_id AND e.sequence = s.sequence AND e.synthetic
        AND e.peer_id = s.peer_id AND e.rib_view = s.rib_view AND e.family = s.family
        AND e.prefix IS NOT DISTINCT FROM s.prefix AND e.rd IS NOT DISTINCT FROM s.rd
        AND e.path_id IS NOT DISTINCT FROM s.path_id AND coalesce(bmp.nlri_key(e.family, e.nlri), '') = s.key);
    GET DIAGNOSTICS inserted = ROW_COUNT;
    total := total + inserted;
  END LOOP;
  DROP TABLE redecoded_route;
  RETURN total;
END $$;
COMMENT ON FUNCTION bmp.withdraw_redecoded IS 'Internal: withdraws the routes that the given messages of a session announced when they were decoded again, received between two times, if their table has ended since: they were never in the state, so nothing else withdraws them. Repeating the call adds nothing. Returns the number of withdrawals';

-- Rebuilding the state ------------------------------------------------------------------------------------------------
--
-- rebuild_state() runs these steps in one transaction, during which no merge and no withdrawal may run (the Java class
-- Rebuild holds the locks). They share the temporary table rebuilt: one row for each route that exists according to the
-- history, with the key columns of rib_route.

CREATE OR REPLACE FUNCTION bmp.rebuild_collect() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  CREATE TEMPORARY TABLE rebuilt ON COMMIT DROP AS
  WITH newest AS (
    SELECT DISTINCT ON (v.router_id) v.router_id, v.session_id, v.received_at FROM bmp.peer_event v
    WHERE v.event = 'session-up' ORDER BY v.router_id, v.session_id DESC),
  newest_of_peer AS (SELECT p.peer_id, n.session_id, n.received_at FROM newest n JOIN bmp.peer p USING (router_id))
  SELECT coalesce(e.prefix, '::/128'::cidr) AS prefix,
    CASE WHEN e.prefix IS NOT NULL THEN ''::bytea ELSE bmp.indexed_nlri_key(bmp.nlri_key(e.family, e.nlri)) END AS nlri,
    coalesce(e.rd, 0) AS rd, coalesce(e.path_id, -1) AS path_id, e.peer_id, e.family, e.rib_view, e.session_id,
    e.sequence, e.received_at, e.attribute_hash, e.labels, CASE WHEN e.prefix IS NULL THEN e.nlri END AS whole_nlri,
    e.nlri_as_text, e.path_status, e.path_reason, e.action, l.session_id IS NOT NULL AS late
  FROM bmp.last_events('infinity', NULL, NULL, NULL) e
    LEFT JOIN newest_of_peer l
      ON l.peer_id = e.peer_id AND l.session_id > e.session_id AND l.received_at < e.received_at
  WHERE e.action = 1 OR l.session_id IS NOT NULL;
  CREATE INDEX ON rebuilt (prefix, peer_id, rib_view, family, rd, path_id, nlri);
  ANALYZE rebuilt;
END $$;
COMMENT ON FUNCTION bmp.rebuild_collect IS 'Internal: 1. Collects the last event of each route. An event that a session sent after the router''s next session had begun is marked late: it counts only if the newer session neither confirmed nor replaced the route';

CREATE OR REPLACE FUNCTION bmp.rebuild_resolve_late() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE rebuilt s SET action = 1, late = false, received_at = r.last_changed, attribute_hash = r.attribute_hash,
    labels = r.labels, nlri_as_text = r.nlri_as_text, path_status = r.path_status, path_reason = r.path_reason
  FROM bmp.rib_route r
  WHERE s.late AND r.prefix = s.prefix AND r.peer_id = s.peer_id AND r.rib_view = s.rib_view AND r.family = s.family
    AND r.rd = s.rd AND r.path_id = s.path_id AND r.nlri = s.nlri
    AND (r.route_id IN (SELECT bmp.confirmed_route_ids()) OR EXISTS (SELECT FROM bmp.rib_sync y
      WHERE y.peer_id = s.peer_id AND y.rib_view = s.rib_view AND y.family = s.family AND y.session_id > s.session_id));
  DELETE FROM rebuilt s WHERE s.action = 0 OR s.late AND EXISTS (SELECT FROM bmp.rib_sync y
    WHERE y.peer_id = s.peer_id AND y.rib_view = s.rib_view AND y.family = s.family AND y.session_id > s.session_id);
END $$;
COMMENT ON FUNCTION bmp.rebuild_resolve_late IS 'Internal: 2. Decides on the late events. If the newer session confirmed the route, which leaves no event, or is synchronized, the state has the right value; otherwise a synchronized table no longer has the route';

CREATE OR REPLACE FUNCTION bmp.rebuild_withdraw_redecoded() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  CREATE TEMPORARY TABLE rebuilt_ended ON COMMIT DROP AS
  WITH ends AS MATERIALIZED (
    SELECT t.peer_id, t.rib_view, t.session_id AS route_session_id, d.*
    FROM (SELECT DISTINCT peer_id, rib_view, session_id FROM rebuilt) t
      CROSS JOIN LATERAL bmp.table_ends(t.peer_id, t.rib_view, t.session_id, NULL) d),
  last_end AS (
    SELECT DISTINCT ON (peer_id, rib_view, route_session_id) * FROM ends
    ORDER BY peer_id, rib_view, route_session_id, session_id DESC, sequence DESC)
  SELECT s.ctid AS row_id, d.session_id, d.sequence, d.received_at
  FROM last_end t
    JOIN rebuilt s ON s.peer_id = t.peer_id AND s.rib_view = t.rib_view AND s.session_id = t.route_session_id
      AND (t.session_id, t.sequence) > (s.session_id, s.sequence)
    CROSS JOIN LATERAL (SELECT e.* FROM ends e
      WHERE e.peer_id = s.peer_id AND e.rib_view = s.rib_view AND e.route_session_id = s.session_id
        AND (e.session_id, e.sequence) > (s.session_id, s.sequence)
      ORDER BY e.session_id, e.sequence LIMIT 1) d
  WHERE NOT EXISTS (SELECT FROM bmp.rib_route r
    WHERE r.prefix = s.prefix AND r.peer_id = s.peer_id AND r.rib_view = s.rib_view AND r.family = s.family
      AND r.rd = s.rd AND r.path_id = s.path_id AND r.nlri = s.nlri);
  PERFORM bmp.ensure_partitions(d.at, d.at) FROM (SELECT DISTINCT received_at AS at FROM rebuilt_ended) d;
  WITH removed AS (
    DELETE FROM rebuilt s USING rebuilt_ended d WHERE s.ctid = d.row_id
    RETURNING d.received_at AS ended_at, d.session_id AS end_session_id, d.sequence AS end_sequence, s.*)
  INSERT INTO bmp.route_event
  SELECT w.* FROM removed r
    CROSS JOIN LATERAL bmp.synthetic_withdrawal(r.ended_at, r.end_session_id, r.end_sequence, nullif(r.path_id, -1),
      CASE WHEN bmp.has_rd(r.family) THEN r.rd END, r.peer_id, r.family, r.rib_view, CASE WHEN r.nlri = '' THEN r.prefix END,
      r.whole_nlri, r.nlri_as_text) w;
END $$;
COMMENT ON FUNCTION bmp.rebuild_withdraw_redecoded IS 'Internal: 3. Withdraws routes that were decoded again and whose table has ended since. They were never in the state, so nothing has withdrawn them yet';

CREATE OR REPLACE FUNCTION bmp.rebuild_apply(OUT missing bigint, OUT extra bigint, OUT different bigint) LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM bmp.rib_route r WHERE NOT EXISTS (SELECT FROM rebuilt s
    WHERE r.prefix = s.prefix AND r.peer_id = s.peer_id AND r.rib_view = s.rib_view AND r.family = s.family AND r.rd = s.rd
      AND r.path_id = s.path_id AND r.nlri = s.nlri);
  GET DIAGNOSTICS extra = ROW_COUNT;

  UPDATE bmp.rib_route r SET attribute_hash = s.attribute_hash, labels = s.labels, nlri_as_text = s.nlri_as_text,
    path_status = s.path_status, path_reason = s.path_reason, last_changed = s.received_at,
    long_nlri = CASE WHEN s.whole_nlri <> s.nlri THEN s.whole_nlri END
  FROM rebuilt s
  WHERE r.prefix = s.prefix AND r.peer_id = s.peer_id AND r.rib_view = s.rib_view AND r.family = s.family AND r.rd = s.rd
    AND r.path_id = s.path_id AND r.nlri = s.nlri
    AND (r.attribute_hash <> s.attribute_hash OR r.labels IS DISTINCT FROM s.labels
      OR r.nlri_as_text IS DISTINCT FROM s.nlri_as_text OR r.path_status IS DISTINCT FROM s.path_status
      OR r.path_reason IS DISTINCT FROM s.path_reason);
  GET DIAGNOSTICS different = ROW_COUNT;

  INSERT INTO bmp.rib_table AS t (peer_id, rib_view, generation, session_id, oldest_session_id, empty)
  SELECT peer_id, rib_view, 0, max(session_id), min(session_id), false FROM rebuilt GROUP BY peer_id, rib_view
  ON CONFLICT (peer_id, rib_view) DO UPDATE SET empty = false,
    oldest_session_id = least(t.oldest_session_id, excluded.oldest_session_id);

  -- While a table is being sent, it is unknown which of its routes were confirmed, so all of them count as confirmed.
  INSERT INTO bmp.rib_route (prefix, nlri, rd, path_id, peer_id, family, rib_view, session_id, generation, first_seen,
    last_changed, attribute_hash, labels, long_nlri, nlri_as_text, path_status, path_reason)
  SELECT s.prefix, s.nlri, s.rd, s.path_id, s.peer_id, s.family, s.rib_view,
    CASE WHEN y.session_id >= t.session_id THEN s.session_id ELSE greatest(s.session_id, t.session_id) END, t.generation,
    s.received_at, s.received_at, s.attribute_hash, s.labels, CASE WHEN s.whole_nlri <> s.nlri THEN s.whole_nlri END,
    s.nlri_as_text, s.path_status, s.path_reason
  FROM rebuilt s JOIN bmp.rib_table t USING (peer_id, rib_view)
    LEFT JOIN bmp.rib_sync y ON y.peer_id = s.peer_id AND y.rib_view = s.rib_view AND y.family = s.family
  WHERE NOT EXISTS (SELECT FROM bmp.rib_route r
    WHERE r.prefix = s.prefix AND r.peer_id = s.peer_id AND r.rib_view = s.rib_view AND r.family = s.family AND r.rd = s.rd
      AND r.path_id = s.path_id AND r.nlri = s.nlri);
  GET DIAGNOSTICS missing = ROW_COUNT;
END $$;
COMMENT ON FUNCTION bmp.rebuild_apply IS 'Internal: 4. Makes rib_route equal to rebuilt, writing only what differs';

CREATE OR REPLACE FUNCTION bmp.rebuild_state() RETURNS TABLE (routes bigint, missing bigint, extra bigint, different bigint)
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM bmp.rebuild_collect();
  PERFORM bmp.rebuild_resolve_late();
  PERFORM bmp.rebuild_withdraw_redecoded();
  SELECT count(*) INTO routes FROM rebuilt;
  SELECT a.missing, a.extra, a.different INTO missing, extra, different FROM bmp.rebuild_apply() a;
  RETURN NEXT;
END $$;
COMMENT ON FUNCTION bmp.rebuild_state IS 'Internal: makes rib_route what the history implies and returns how far it was from that';
