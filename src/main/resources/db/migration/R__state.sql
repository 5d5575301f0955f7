-- The current state: what its sweep asks, and how it is made anew (docs/state.md).

-- What sessions from this one on have confirmed of a peer, after the entry with this number. A function of few rows in the planner's eyes, so
-- that it is read once and hashed whatever it holds.
CREATE OR REPLACE FUNCTION bmp.confirmed_of(peer integer, from_session bigint, after_id bigint) RETURNS SETOF bigint
LANGUAGE plpgsql STABLE ROWS 1000 AS $$
BEGIN
  RETURN QUERY SELECT unnest(c.routes) FROM bmp.rib_confirmed c
    WHERE c.peer_id = peer AND c.session_id >= from_session AND c.id > after_id;
END $$;

-- Makes bmp.rib_route what the history says, and says how far it was from that. Only what differs is written. To be called where no merge
-- and no sweep can come between (dev.silkroute.postgres.Rebuild sees to that).
CREATE OR REPLACE FUNCTION bmp.rebuild_state() RETURNS TABLE (routes bigint, missing bigint, extra bigint, different bigint)
LANGUAGE plpgsql AS $$
BEGIN
  CREATE TEMPORARY TABLE rebuilt ON COMMIT DROP AS
  SELECT coalesce(e.prefix, '::/128'::cidr) AS prefix,
    CASE WHEN e.prefix IS NOT NULL THEN ''::bytea
      WHEN octet_length(bmp.nlri_key(e.family, e.nlri)) > 1024 THEN sha256(bmp.nlri_key(e.family, e.nlri))
      ELSE bmp.nlri_key(e.family, e.nlri) END AS nlri,
    coalesce(e.rd, 0) AS rd, coalesce(e.path_id, -1) AS path_id, e.peer_id, e.family, e.rib_view, e.session_id,
    e.received_at, e.attr, e.labels, CASE WHEN e.prefix IS NULL THEN e.nlri END AS whole_nlri, e.nlri_as_text,
    e.path_status, e.path_reason
  FROM bmp.last_events('infinity', NULL, NULL, NULL) e WHERE e.action = 1;
  CREATE INDEX ON rebuilt (prefix, peer_id, rib_view, family, rd, path_id, nlri);
  ANALYZE rebuilt;
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
