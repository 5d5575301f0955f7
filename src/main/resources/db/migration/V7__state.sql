-- Current state that knows what a router's tables are worth: docs/state.md and ADR 13.

-- A route keeps its number as long as it is there, whatever happens to its attributes: a table that is sent again as it was is noted by
-- the numbers of its routes instead of rewriting their rows.
CREATE SEQUENCE bmp.rib_route_id CACHE 1000;
ALTER TABLE bmp.rib_route
  ADD COLUMN route_id bigint NOT NULL DEFAULT nextval('bmp.rib_route_id'),
  ADD COLUMN generation integer NOT NULL DEFAULT 0;

-- The RIB views of peers that routes were heard of. A Peer Down begins a new generation: the routes of the ended one are gone from then
-- on, however many, and their rows are taken away bit by bit.
CREATE TABLE bmp.rib_table (
  peer_id integer NOT NULL,
  rib_view smallint NOT NULL,
  generation integer NOT NULL,
  session_id bigint NOT NULL,      -- the newest session that spoke of it
  since_session bigint NOT NULL,   -- no route of the generation is of an older one
  blank boolean NOT NULL,          -- the generation had no route yet
  PRIMARY KEY (peer_id, rib_view)
);
INSERT INTO bmp.rib_table
SELECT peer_id, rib_view, 0, max(session_id), min(session_id), false FROM bmp.rib_route GROUP BY peer_id, rib_view;

-- Generations that ended, until the last row of them is taken away; and by which event.
CREATE TABLE bmp.rib_ended (
  peer_id integer NOT NULL,
  rib_view smallint NOT NULL,
  generation integer NOT NULL,
  session_id bigint NOT NULL,
  sequence bigint NOT NULL,
  received_at timestamptz NOT NULL,
  PRIMARY KEY (peer_id, rib_view, generation)
);

-- Tables that are through, by End-of-RIB: what was there of older sessions and didn't come again is to be withdrawn. View -1 and family
-- 0: all tables of the peer.
CREATE TABLE bmp.rib_resync (
  peer_id integer NOT NULL,
  rib_view smallint NOT NULL,
  family integer NOT NULL,
  session_id bigint NOT NULL,
  sequence bigint NOT NULL,
  received_at timestamptz NOT NULL,
  PRIMARY KEY (peer_id, rib_view, family)
);

-- The newest session of which a table is through, and all that is left of older ones withdrawn: rows of older sessions are as fresh as
-- those of that one.
CREATE TABLE bmp.rib_sync (
  peer_id integer NOT NULL,
  rib_view smallint NOT NULL,
  family integer NOT NULL,
  session_id bigint NOT NULL,
  PRIMARY KEY (peer_id, rib_view, family)
) WITH (fillfactor = 70);

-- Routes of older sessions that a session has announced again as they were, until its table is through.
CREATE TABLE bmp.rib_confirmed (
  id bigint GENERATED ALWAYS AS IDENTITY,
  peer_id integer NOT NULL,
  rib_view smallint NOT NULL,
  family integer NOT NULL,
  session_id bigint NOT NULL,
  lowest bigint NOT NULL,
  highest bigint NOT NULL,
  routes bigint[] NOT NULL
);
ALTER TABLE bmp.rib_confirmed ALTER COLUMN routes SET STORAGE EXTERNAL;
CREATE INDEX rib_confirmed_table ON bmp.rib_confirmed (peer_id, rib_view, family, session_id);

-- A collector's newest start: sessions of it with a smaller id are over.
CREATE TABLE bmp.collector (
  name text PRIMARY KEY,
  session_id bigint NOT NULL,
  started_at timestamptz NOT NULL
);
ALTER TABLE bmp.live_session
  ADD COLUMN collector text,
  ADD COLUMN changed_at timestamptz;  -- when it came up or was lost
UPDATE bmp.live_session SET changed_at = now();
ALTER TABLE bmp.router ADD COLUMN collector text;

-- A function of few rows in the planner's eyes, so that it is read once and hashed whatever it holds.
CREATE FUNCTION bmp.confirmed_routes() RETURNS SETOF bigint LANGUAGE plpgsql STABLE ROWS 1000 AS $$
BEGIN
  RETURN QUERY SELECT unnest(c.routes) FROM bmp.rib_confirmed c JOIN bmp.peer p USING (peer_id)
    JOIN bmp.live_session l ON l.router_id = p.router_id AND l.session_id = c.session_id;
END $$;

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
  LEFT JOIN bmp.attrs a ON a.h = t.attr
WHERE NOT EXISTS (
  SELECT FROM bmp.rib_ended e
  WHERE e.peer_id = t.peer_id AND e.rib_view = t.rib_view AND e.generation = t.generation);
