-- The current state: what its sweep asks, and how it is made anew (docs/state.md).

-- What sessions from this one on have confirmed of a peer, after the entry with this number. A function of few rows in the planner's eyes, so
-- that it is read once and hashed whatever it holds.
CREATE OR REPLACE FUNCTION bmp.confirmed_of(peer integer, from_session bigint, after_id bigint) RETURNS SETOF bigint
LANGUAGE plpgsql STABLE ROWS 1000 AS $$
BEGIN
  RETURN QUERY SELECT unnest(c.routes) FROM bmp.rib_confirmed c
    WHERE c.peer_id = peer AND c.session_id >= from_session AND c.id > after_id;
END $$;

-- What ended a peer's table after a session said something of it: each Peer Down of the session or a newer one; where there is none in a newer
-- one and the state has nothing of this one any more, the begin of the router's next session. With a family, its being through in a newer
-- session (End-of-RIB) counts as that begin, and so does any newer session of a table that the state never had.
CREATE OR REPLACE FUNCTION bmp.table_ends(of_peer integer, view smallint, session bigint, of_family integer)
RETURNS TABLE (session_id bigint, sequence bigint, received_at timestamptz, peer_down boolean) LANGUAGE plpgsql STABLE AS $$
DECLARE
  p bmp.peer := (SELECT q FROM bmp.peer q WHERE q.peer_id = of_peer);
  kept boolean;
  through boolean;
  over boolean;
BEGIN
  SELECT true, t.session_id > session AND y.session_id > session, t.session_id > session AND (t.blank OR t.since_session > session)
  INTO kept, through, over
  FROM bmp.rib_table t LEFT JOIN bmp.rib_sync y ON y.peer_id = t.peer_id AND y.rib_view = t.rib_view AND y.family = of_family
  WHERE t.peer_id = of_peer AND t.rib_view = view;

  FOR session_id, sequence, received_at, peer_down IN
    SELECT d.session_id, d.sequence, d.received_at, true FROM bmp.peer_event d
    WHERE d.session_id IN (SELECT session UNION SELECT v.session_id FROM bmp.peer_event v
        WHERE v.router_id = p.router_id AND v.event IN ('session-up', 'session-down') AND v.session_id > session)
      AND d.event = 'peer-down' AND d.router_id = p.router_id AND d.peer_type = p.peer_type AND d.distinguisher = p.distinguisher
      AND d.address = p.address AND (d.bgp_id = p.bgp_id OR d.bgp_id = 0)
      AND ((d.detail->>'all_views')::boolean IS NOT FALSE OR d.rib_view = view)
  LOOP
    over := over AND session_id = session;
    RETURN NEXT;
  END LOOP;

  IF through OR over OR kept IS NULL AND of_family IS NOT NULL THEN
    RETURN QUERY
    SELECT v.session_id, v.sequence, v.received_at, false FROM bmp.peer_event v
    WHERE v.router_id = p.router_id AND v.event = 'session-up' AND v.session_id > session
    ORDER BY v.session_id LIMIT 1;
    IF kept AND NOT FOUND THEN  -- nobody knows when: as where time runs out
      RETURN QUERY SELECT session, (1::bigint << 48) - 1, now(), false;
    END IF;
  END IF;
END $$;

-- Withdraws what was decoded again and announced by these messages of a session, received between two times, where its table has ended since: it
-- was never in the state, so nobody else does. Doing it again adds nothing. Returns how many.
CREATE OR REPLACE FUNCTION bmp.end_redecoded(session bigint, messages bigint[], first timestamptz, last timestamptz) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
  ended timestamptz;
  found bigint;
  told bigint := 0;
BEGIN
  CREATE TEMPORARY TABLE redecoded_gone AS
  WITH said AS MATERIALIZED (
    SELECT e.*, coalesce(bmp.nlri_key(e.family, e.nlri), '') AS key FROM bmp.route_event e
    WHERE e.received_at BETWEEN first AND last AND e.session_id = session AND e.sequence >> 16 = ANY (messages) AND NOT e.synthetic),
  ends AS MATERIALIZED (
    SELECT t.peer_id, t.rib_view, t.family, d.* FROM (SELECT DISTINCT peer_id, rib_view, family FROM said) t
      CROSS JOIN LATERAL bmp.table_ends(t.peer_id, t.rib_view, session, t.family) d)
  SELECT g.* FROM (  -- the last word of each route before each end
    SELECT DISTINCT ON (l.prefix, l.peer_id, l.rib_view, l.family, l.rd, l.path_id, l.key, d.session_id, d.sequence)
      d.received_at, d.session_id, d.sequence, l.path_id, l.rd, l.peer_id, l.family, l.rib_view, l.prefix, l.nlri, l.nlri_as_text,
      l.key, l.action, d.peer_down
    FROM said l CROSS JOIN LATERAL (SELECT n.* FROM ends n
      WHERE n.peer_id = l.peer_id AND n.rib_view = l.rib_view AND n.family = l.family AND (n.session_id, n.sequence) > (session, l.sequence)
      ORDER BY n.session_id, n.sequence LIMIT 1) d
    ORDER BY l.prefix, l.peer_id, l.rib_view, l.family, l.rd, l.path_id, l.key, d.session_id, d.sequence, l.sequence DESC) g
  WHERE g.action = 1;
  ANALYZE redecoded_gone;

  -- A route that a newer session has confirmed is there, whatever was said of it before.
  DELETE FROM redecoded_gone s USING bmp.rib_route r
  WHERE NOT s.peer_down AND r.prefix = coalesce(s.prefix, '::/128') AND r.peer_id = s.peer_id AND r.rib_view = s.rib_view
    AND r.family = s.family AND r.rd = coalesce(s.rd, 0) AND r.path_id = coalesce(s.path_id, -1)
    AND r.nlri = CASE WHEN octet_length(s.key) > 1024 THEN sha256(s.key) ELSE s.key END;
  FOR ended IN SELECT DISTINCT received_at FROM redecoded_gone LOOP
    PERFORM bmp.ensure_partitions(ended, ended);
    INSERT INTO bmp.route_event (received_at, session_id, sequence, path_id, rd, peer_id, family, rib_view, action, synthetic, prefix,
      nlri, nlri_as_text)
    SELECT ended, s.session_id, s.sequence, s.path_id, s.rd, s.peer_id, s.family, s.rib_view, 0, true, s.prefix, s.nlri, s.nlri_as_text
    FROM redecoded_gone s
    WHERE s.received_at = ended AND NOT EXISTS (SELECT FROM bmp.route_event e
      WHERE e.received_at = ended AND e.session_id = s.session_id AND e.sequence = s.sequence AND e.synthetic
        AND e.peer_id = s.peer_id AND e.rib_view = s.rib_view AND e.family = s.family AND e.prefix IS NOT DISTINCT FROM s.prefix
        AND e.rd IS NOT DISTINCT FROM s.rd AND e.path_id IS NOT DISTINCT FROM s.path_id
        AND coalesce(bmp.nlri_key(e.family, e.nlri), '') = s.key);
    GET DIAGNOSTICS found = ROW_COUNT;
    told := told + found;
  END LOOP;
  DROP TABLE redecoded_gone;
  RETURN told;
END $$;

-- Makes bmp.rib_route what the history says, and says how far it was from that. Only what differs is written. To be called where no merge
-- and no sweep can come between (dev.silkroute.postgres.maintenance.Rebuild sees to that).
CREATE OR REPLACE FUNCTION bmp.rebuild_state() RETURNS TABLE (routes bigint, missing bigint, extra bigint, different bigint)
LANGUAGE plpgsql AS $$
BEGIN
  CREATE TEMPORARY TABLE rebuilt ON COMMIT DROP AS
  WITH newest AS (
    SELECT DISTINCT ON (v.router_id) v.router_id, v.session_id, v.received_at FROM bmp.peer_event v WHERE v.event = 'session-up'
    ORDER BY v.router_id, v.session_id DESC),
  late AS (SELECT p.peer_id, n.session_id, n.received_at FROM newest n JOIN bmp.peer p USING (router_id))
  SELECT coalesce(e.prefix, '::/128'::cidr) AS prefix,
    CASE WHEN e.prefix IS NOT NULL THEN ''::bytea
      WHEN octet_length(bmp.nlri_key(e.family, e.nlri)) > 1024 THEN sha256(bmp.nlri_key(e.family, e.nlri))
      ELSE bmp.nlri_key(e.family, e.nlri) END AS nlri,
    coalesce(e.rd, 0) AS rd, coalesce(e.path_id, -1) AS path_id, e.peer_id, e.family, e.rib_view, e.session_id,
    e.sequence, e.received_at, e.attr, e.labels, CASE WHEN e.prefix IS NULL THEN e.nlri END AS whole_nlri, e.nlri_as_text,
    e.path_status, e.path_reason, e.action, l.session_id IS NOT NULL AS late
  FROM bmp.last_events('infinity', NULL, NULL, NULL) e
    LEFT JOIN late l ON l.peer_id = e.peer_id AND l.session_id > e.session_id AND l.received_at < e.received_at
  WHERE e.action = 1 OR l.session_id IS NOT NULL;
  CREATE INDEX ON rebuilt (prefix, peer_id, rib_view, family, rd, path_id, nlri);
  ANALYZE rebuilt;

  -- What an older session said when the newest had begun doesn't count where that one has confirmed the route, which leaves no event, or
  -- where the table is through in it.
  UPDATE rebuilt s SET action = 1, late = false, received_at = r.last_changed, attr = r.attr, labels = r.labels,
    nlri_as_text = r.nlri_as_text, path_status = r.path_status, path_reason = r.path_reason
  FROM bmp.rib_route r
  WHERE s.late AND r.prefix = s.prefix AND r.peer_id = s.peer_id AND r.rib_view = s.rib_view AND r.family = s.family AND r.rd = s.rd
    AND r.path_id = s.path_id AND r.nlri = s.nlri
    AND (r.route_id IN (SELECT bmp.confirmed_routes()) OR EXISTS (SELECT FROM bmp.rib_sync y
      WHERE y.peer_id = s.peer_id AND y.rib_view = s.rib_view AND y.family = s.family AND y.session_id > s.session_id));
  DELETE FROM rebuilt s WHERE s.action = 0 OR s.late AND EXISTS (SELECT FROM bmp.rib_sync y
    WHERE y.peer_id = s.peer_id AND y.rib_view = s.rib_view AND y.family = s.family AND y.session_id > s.session_id);

  -- What was decoded again and whose table has ended since: nothing has withdrawn it yet, because it was never in the state.
  CREATE TEMPORARY TABLE rebuilt_gone ON COMMIT DROP AS
  WITH ends AS MATERIALIZED (
    SELECT t.peer_id, t.rib_view, t.session_id AS said_in, d.*
    FROM (SELECT DISTINCT peer_id, rib_view, session_id FROM rebuilt) t
      CROSS JOIN LATERAL bmp.table_ends(t.peer_id, t.rib_view, t.session_id, NULL) d)
  SELECT s.ctid AS place, d.session_id, d.sequence, d.received_at
  FROM (SELECT DISTINCT ON (peer_id, rib_view, said_in) * FROM ends ORDER BY peer_id, rib_view, said_in, session_id DESC, sequence DESC) t
    JOIN rebuilt s ON s.peer_id = t.peer_id AND s.rib_view = t.rib_view AND s.session_id = t.said_in
      AND (t.session_id, t.sequence) > (s.session_id, s.sequence)
    CROSS JOIN LATERAL (SELECT e.* FROM ends e
      WHERE e.peer_id = s.peer_id AND e.rib_view = s.rib_view AND e.said_in = s.session_id
        AND (e.session_id, e.sequence) > (s.session_id, s.sequence)
      ORDER BY e.session_id, e.sequence LIMIT 1) d
  WHERE NOT EXISTS (SELECT FROM bmp.rib_route r
    WHERE r.prefix = s.prefix AND r.peer_id = s.peer_id AND r.rib_view = s.rib_view AND r.family = s.family AND r.rd = s.rd
      AND r.path_id = s.path_id AND r.nlri = s.nlri);
  PERFORM bmp.ensure_partitions(d.at, d.at) FROM (SELECT DISTINCT received_at AS at FROM rebuilt_gone) d;
  WITH gone AS (
    DELETE FROM rebuilt s USING rebuilt_gone d WHERE s.ctid = d.place
    RETURNING d.received_at AS at, d.session_id AS by_session, d.sequence AS by_sequence, s.*)
  INSERT INTO bmp.route_event (received_at, session_id, sequence, path_id, rd, peer_id, family, rib_view, action, synthetic, prefix,
    nlri, nlri_as_text)
  SELECT at, by_session, by_sequence, nullif(path_id, -1), CASE WHEN bmp.has_rd(family) THEN rd END, peer_id, family, rib_view, 0, true,
    CASE WHEN nlri = '' THEN prefix END, whole_nlri, nlri_as_text
  FROM gone;
  SELECT count(*) INTO routes FROM rebuilt;

  DELETE FROM bmp.rib_route r WHERE NOT EXISTS (SELECT FROM rebuilt s
    WHERE r.prefix = s.prefix AND r.peer_id = s.peer_id AND r.rib_view = s.rib_view AND r.family = s.family AND r.rd = s.rd
      AND r.path_id = s.path_id AND r.nlri = s.nlri);
  GET DIAGNOSTICS extra = ROW_COUNT;

  UPDATE bmp.rib_route r SET attr = s.attr, labels = s.labels, nlri_as_text = s.nlri_as_text, path_status = s.path_status,
    path_reason = s.path_reason, last_changed = s.received_at,
    long_nlri = CASE WHEN s.whole_nlri <> s.nlri THEN s.whole_nlri END
  FROM rebuilt s
  WHERE r.prefix = s.prefix AND r.peer_id = s.peer_id AND r.rib_view = s.rib_view AND r.family = s.family AND r.rd = s.rd
    AND r.path_id = s.path_id AND r.nlri = s.nlri
    AND (r.attr <> s.attr OR r.labels IS DISTINCT FROM s.labels OR r.nlri_as_text IS DISTINCT FROM s.nlri_as_text
      OR r.path_status IS DISTINCT FROM s.path_status OR r.path_reason IS DISTINCT FROM s.path_reason);
  GET DIAGNOSTICS different = ROW_COUNT;

  INSERT INTO bmp.rib_table AS t (peer_id, rib_view, generation, session_id, since_session, blank)
  SELECT peer_id, rib_view, 0, max(session_id), min(session_id), false FROM rebuilt GROUP BY peer_id, rib_view
  ON CONFLICT (peer_id, rib_view) DO UPDATE SET blank = false,
    since_session = least(t.since_session, excluded.since_session);

  -- A table that is just being sent: which of its routes were confirmed can't be told, so all count as confirmed.
  INSERT INTO bmp.rib_route (prefix, nlri, rd, path_id, peer_id, family, rib_view, session_id, generation, first_seen,
    last_changed, attr, labels, long_nlri, nlri_as_text, path_status, path_reason)
  SELECT s.prefix, s.nlri, s.rd, s.path_id, s.peer_id, s.family, s.rib_view,
    CASE WHEN y.session_id >= t.session_id THEN s.session_id ELSE greatest(s.session_id, t.session_id) END, t.generation,
    s.received_at, s.received_at, s.attr, s.labels, CASE WHEN s.whole_nlri <> s.nlri THEN s.whole_nlri END, s.nlri_as_text,
    s.path_status, s.path_reason
  FROM rebuilt s JOIN bmp.rib_table t USING (peer_id, rib_view)
    LEFT JOIN bmp.rib_sync y ON y.peer_id = s.peer_id AND y.rib_view = s.rib_view AND y.family = s.family
  WHERE NOT EXISTS (SELECT FROM bmp.rib_route r
    WHERE r.prefix = s.prefix AND r.peer_id = s.peer_id AND r.rib_view = s.rib_view AND r.family = s.family AND r.rd = s.rd
      AND r.path_id = s.path_id AND r.nlri = s.nlri);
  GET DIAGNOSTICS missing = ROW_COUNT;
  RETURN NEXT;
END $$;
