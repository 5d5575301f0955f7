-- What the station keeps. Users read the v_… views and the functions at the end; the tables below are the station's own
-- and may change. Unsigned 32-bit values are bigint; a family is one integer, AFI << 8 | SAFI; a RIB view and a peer type
-- are their protocol codes.

-- Codes and texts ------------------------------------------------------------------------------------------------------

CREATE FUNCTION bmp.rib_view_text(code smallint) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT (ARRAY['adj-rib-in-pre', 'adj-rib-in-post', 'adj-rib-out-pre', 'adj-rib-out-post', 'loc-rib'])[code + 1] $$;

CREATE FUNCTION bmp.rib_view_code(view text) RETURNS smallint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT (array_position(
     ARRAY['adj-rib-in-pre', 'adj-rib-in-post', 'adj-rib-out-pre', 'adj-rib-out-post', 'loc-rib'], view) - 1)::smallint $$;

CREATE FUNCTION bmp.peer_type_text(code smallint) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT coalesce((ARRAY['global', 'rd', 'local', 'loc-rib'])[code + 1], 'type-' || code::text) $$;

CREATE FUNCTION bmp.peer_type_code(peer_type text) RETURNS smallint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT coalesce(
     array_position(ARRAY['global', 'rd', 'local', 'loc-rib'], peer_type) - 1,
     substring(peer_type FROM '^type-([0-9]+)$')::integer)::smallint $$;

-- The eight bytes of a peer distinguisher, 16 hex digits.
CREATE FUNCTION bmp.distinguisher_text(distinguisher bigint) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT lpad(to_hex(distinguisher), 16, '0') $$;

CREATE FUNCTION bmp.distinguisher_number(hex text) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT ('x' || lpad(hex, 16, '0'))::bit(64)::bigint $$;

CREATE FUNCTION bmp.bgp_id_text(bgp_id bigint) RETURNS inet LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT '0.0.0.0'::inet + bgp_id $$;

CREATE FUNCTION bmp.bgp_id_number(bgp_id inet) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT bgp_id - '0.0.0.0'::inet $$;

-- A route distinguisher (RFC 4364, Section 4.2): type in the first two bytes.
CREATE FUNCTION bmp.rd_text(rd bigint) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT CASE rd >> 48 & 65535
     WHEN 0 THEN (rd >> 32 & 65535)::text || ':' || (rd & 4294967295)::text
     WHEN 1 THEN host('0.0.0.0'::inet + (rd >> 16 & 4294967295)) || ':' || (rd & 65535)::text
     WHEN 2 THEN (rd >> 16 & 4294967295)::text || ':' || (rd & 65535)::text
     ELSE lpad(to_hex(rd), 16, '0') END $$;

CREATE FUNCTION bmp.family_text(family integer) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT CASE family
     WHEN 257 THEN 'ipv4-unicast' WHEN 258 THEN 'ipv4-multicast' WHEN 260 THEN 'ipv4-labeled-unicast'
     WHEN 261 THEN 'ipv4-mcast-vpn' WHEN 322 THEN 'ipv4-mdt' WHEN 329 THEN 'ipv4-sr-policy'
     WHEN 384 THEN 'vpnv4' WHEN 385 THEN 'vpnv4-multicast' WHEN 388 THEN 'rt-constraint'
     WHEN 389 THEN 'ipv4-flowspec' WHEN 390 THEN 'vpnv4-flowspec'
     WHEN 513 THEN 'ipv6-unicast' WHEN 514 THEN 'ipv6-multicast' WHEN 516 THEN 'ipv6-labeled-unicast'
     WHEN 517 THEN 'ipv6-mcast-vpn' WHEN 585 THEN 'ipv6-sr-policy'
     WHEN 640 THEN 'vpnv6' WHEN 641 THEN 'vpnv6-multicast' WHEN 644 THEN 'ipv6-rt-constraint'
     WHEN 645 THEN 'ipv6-flowspec' WHEN 646 THEN 'vpnv6-flowspec'
     WHEN 6465 THEN 'vpls' WHEN 6470 THEN 'evpn' WHEN 6533 THEN 'l2vpn-flowspec' WHEN 6534 THEN 'l2vpn-vpn-flowspec'
     WHEN 4195399 THEN 'bgp-ls' WHEN 4195400 THEN 'bgp-ls-vpn'
     ELSE 'afi-' || (family >> 8)::text || '/safi-' || (family & 255)::text END $$;

-- Whether a family's NLRI hold a route distinguisher before an IP prefix: SAFI 128 and 129 of AFI 1 and 2.
CREATE FUNCTION bmp.has_rd(family integer) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT family IN (384, 385, 640, 641) $$;

-- Canonical text of any NLRI: the prefix, "rd prefix", or the bytes of a family that is no prefix in hex.
CREATE FUNCTION bmp.nlri_text(family integer, rd bigint, prefix cidr, nlri bytea) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT CASE WHEN prefix IS NULL THEN encode(nlri, 'hex')
     WHEN bmp.has_rd(family) THEN bmp.rd_text(rd) || ' ' || prefix::text ELSE prefix::text END $$;

-- Every prefix that covers an address or prefix, itself included: 33 or 129 exact probes of a primary key that begins with
-- the prefix, instead of an index of its own.
CREATE FUNCTION bmp.covering(address inet) RETURNS cidr[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT array_agg(set_masklen(network(address), length)) FROM generate_series(0, masklen(address)) length $$;

-- Routers and peers ------------------------------------------------------------------------------------------------------

-- What the lifecycle lane knows of a router; other lanes only create rows.
CREATE TABLE bmp.router (
  router_id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL UNIQUE,
  address inet,
  sys_name text,
  sys_descr text,
  session_id bigint,               -- the newest session seen
  connected boolean NOT NULL DEFAULT true,
  connected_at timestamptz,
  disconnected_at timestamptz
);

-- The same question answered by the lane of the current state, in the order of its routes. A route whose session is not
-- its router's live one is stale, so that the loss of a session costs one row however many routes it had.
CREATE TABLE bmp.live_session (
  router_id integer PRIMARY KEY REFERENCES bmp.router,
  session_id bigint NOT NULL,      -- the newest session seen
  live boolean NOT NULL
);

CREATE TABLE bmp.peer (
  peer_id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  router_id integer NOT NULL REFERENCES bmp.router,
  peer_type smallint NOT NULL,
  distinguisher bigint NOT NULL,
  address inet NOT NULL,
  bgp_id bigint NOT NULL,
  asn bigint NOT NULL,             -- of the newest Peer Up
  table_name text,
  UNIQUE (router_id, peer_type, distinguisher, address, bgp_id)
);

-- One row per view that came up: most routers send one Peer Up for all views of a peer, some one per view.
CREATE TABLE bmp.peer_state (
  peer_id integer NOT NULL REFERENCES bmp.peer,
  rib_view smallint NOT NULL,
  up boolean NOT NULL,
  session_id bigint NOT NULL,      -- of the newest event applied, with its sequence
  sequence bigint NOT NULL,
  up_at timestamptz,
  down_at timestamptz,
  down_reason text,
  local_address inet,
  local_port integer,
  remote_port integer,
  capabilities jsonb,
  PRIMARY KEY (peer_id, rib_view)
);

-- Low-volume records carry the peer's identity themselves: a Peer Down of a peer that never came up is kept without
-- creating a peer. (session_id, sequence …) is unique, so a record that Kafka delivers twice is kept once.
CREATE TABLE bmp.peer_event (
  received_at timestamptz NOT NULL,
  router_time timestamptz,
  session_id bigint NOT NULL,
  sequence bigint NOT NULL,
  router_id integer NOT NULL,
  event text NOT NULL,
  peer_type smallint,
  distinguisher bigint,
  address inet,
  asn bigint,
  bgp_id bigint,
  rib_view smallint,
  table_name text,
  reason_code integer,
  reason text,
  detail jsonb NOT NULL,           -- everything else that the record said
  UNIQUE (session_id, sequence, event)
);
CREATE INDEX ON bmp.peer_event USING brin (received_at);

CREATE TABLE bmp.statistic (
  received_at timestamptz NOT NULL,
  router_time timestamptz,
  session_id bigint NOT NULL,
  sequence bigint NOT NULL,
  n integer NOT NULL,              -- position within the report
  router_id integer NOT NULL,
  peer_type smallint NOT NULL,
  distinguisher bigint NOT NULL,
  address inet NOT NULL,
  asn bigint NOT NULL,
  bgp_id bigint NOT NULL,
  rib_view smallint NOT NULL,
  type integer NOT NULL,
  name text,
  afi integer,
  safi integer,
  value numeric(20),               -- unsigned 64-bit; null if the value has another shape: see raw
  raw bytea,
  UNIQUE (session_id, sequence, n)
);
CREATE INDEX ON bmp.statistic USING brin (received_at);

CREATE TABLE bmp.mirrored_message (
  received_at timestamptz NOT NULL,
  router_time timestamptz,
  session_id bigint NOT NULL,
  sequence bigint NOT NULL,
  n integer NOT NULL,
  router_id integer NOT NULL,
  peer_type smallint NOT NULL,
  distinguisher bigint NOT NULL,
  address inet NOT NULL,
  asn bigint NOT NULL,
  bgp_id bigint NOT NULL,
  rib_view smallint NOT NULL,
  type integer NOT NULL,
  name text,
  bytes bytea NOT NULL,
  UNIQUE (session_id, sequence, n)
);
CREATE INDEX ON bmp.mirrored_message USING brin (received_at);

-- What could not be used, with its bytes. Either a BMP message (session_id, sequence), or a Kafka record that a lane could
-- not read or store, and then kafka_record says which.
CREATE TABLE bmp.quarantine (
  received_at timestamptz NOT NULL,
  router_time timestamptz,
  session_id bigint,
  sequence bigint,
  kafka_record text,
  router_id integer,
  peer_type smallint,
  distinguisher bigint,
  address inet,
  asn bigint,
  bgp_id bigint,
  rib_view smallint,
  message_type text,
  byte_offset integer,
  reason text NOT NULL,
  section text,
  bytes bytea NOT NULL,
  UNIQUE NULLS NOT DISTINCT (session_id, sequence, byte_offset, kafka_record)
);
CREATE INDEX ON bmp.quarantine USING brin (received_at);

-- Routes -----------------------------------------------------------------------------------------------------------------

-- Each distinct attribute set once, under the 128-bit hash of its canonical bytes.
CREATE TABLE bmp.attrs (
  h uuid PRIMARY KEY,
  next_hop inet,
  next_hop_link_local inet,
  origin text,
  as_path text,
  as_path_asns bigint[],
  origin_asn bigint,
  med bigint,
  local_pref bigint,
  communities text[],
  large_communities text[],
  ext_communities text[],
  attributes jsonb,                -- null, like every column but raw, if the set could not be read
  raw bytea NOT NULL
);

-- Every announcement and withdrawal. Partitions by the station's own clock, because routers' clocks lie.
CREATE TABLE bmp.route_event (
  received_at timestamptz NOT NULL,
  router_time timestamptz,
  session_id bigint NOT NULL,
  sequence bigint NOT NULL,
  path_id bigint,                  -- null: none
  rd bigint,                       -- null: the family has none
  peer_id integer NOT NULL,
  family integer NOT NULL,
  rib_view smallint NOT NULL,
  action smallint NOT NULL,        -- 0 withdraw, 1 announce
  synthetic boolean NOT NULL,      -- made by the station, not by the router
  attr uuid,                       -- null: withdraw
  prefix cidr,                     -- null: the family is no prefix, see nlri
  nlri bytea,
  labels integer[]
) PARTITION BY RANGE (received_at);
CREATE INDEX route_event_received_at ON bmp.route_event USING brin (received_at) WITH (autosummarize = on);

-- Daily partitions (UTC) from one time to another, both included; returns how many were missing. ATTACH instead of
-- CREATE … PARTITION OF because it stops neither readers nor writers.
CREATE FUNCTION bmp.ensure_partitions(from_time timestamptz, to_time timestamptz) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  day date := (from_time AT TIME ZONE 'UTC')::date;
  last_day date := (to_time AT TIME ZONE 'UTC')::date;
  name text;
  made integer := 0;
BEGIN
  IF day < '2000-01-01' OR last_day > '2199-12-31' OR last_day - day > 400 THEN
    RAISE invalid_parameter_value USING MESSAGE = format('no partitions from %s to %s', from_time, to_time);
  END IF;
  WHILE day <= last_day LOOP
    name := 'route_event_' || to_char(day, 'YYYYMMDD');
    IF to_regclass('bmp.' || name) IS NULL THEN
      PERFORM pg_advisory_xact_lock(hashtext('bmp.ensure_partitions'));
      -- pg_class itself, because what to_regclass has just looked up is cached, and another lane may have made it since
      IF NOT EXISTS (SELECT FROM pg_class WHERE relname = name AND relnamespace = 'bmp'::regnamespace) THEN
        EXECUTE format('CREATE TABLE bmp.%I (LIKE bmp.route_event INCLUDING DEFAULTS)', name);
        EXECUTE format('ALTER TABLE bmp.route_event ATTACH PARTITION bmp.%I FOR VALUES FROM (%L) TO (%L)',
          name, day || ' 00:00:00+00', day + 1 || ' 00:00:00+00');
        made := made + 1;
      END IF;
    END IF;
    day := day + 1;
  END LOOP;
  RETURN made;
END $$;

-- The current state, narrow: a row is rewritten when its route changes or is heard again in a newer session, and such
-- updates touch no index. The prefix comes first so that exact, covering and covered lookups need no second index.
CREATE TABLE bmp.rib_route (
  prefix cidr NOT NULL,            -- ::/128 where the family is no prefix
  nlri bytea NOT NULL,             -- empty where it is one; a SHA-256 where it is too long for an index, see long_nlri
  rd bigint NOT NULL,              -- 0 where the family has none
  path_id bigint NOT NULL,         -- -1: none
  peer_id integer NOT NULL,
  family integer NOT NULL,
  rib_view smallint NOT NULL,
  session_id bigint NOT NULL,      -- the newest session that announced it
  first_seen timestamptz NOT NULL,
  last_changed timestamptz NOT NULL,
  attr uuid NOT NULL,
  labels integer[],
  long_nlri bytea,
  PRIMARY KEY (prefix, peer_id, rib_view, family, rd, path_id, nlri)
) PARTITION BY HASH (prefix);

DO $$ BEGIN
  FOR i IN 0..7 LOOP
    EXECUTE format('CREATE TABLE bmp.rib_route_%s PARTITION OF bmp.rib_route FOR VALUES WITH (MODULUS 8, REMAINDER %s)
      WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05)', i, i);
  END LOOP;
END $$;
-- For Peer Down, and for the few rows whose family is no prefix. These columns never change, so updates stay heap-only.
-- An expression, so that the planner can't take this index instead of the primary key to find one route: before the first
-- ANALYZE it believes that a peer has but a few.
CREATE INDEX rib_route_peer ON bmp.rib_route ((peer_id::bigint << 3 | rib_view));
CREATE INDEX rib_route_no_prefix ON bmp.rib_route (family) WHERE nlri <> '';

-- Views ------------------------------------------------------------------------------------------------------------------

CREATE VIEW bmp.v_routers AS
SELECT name AS router, address, sys_name, sys_descr,
  CASE WHEN connected THEN 'connected' ELSE 'disconnected' END AS state,
  connected_at, disconnected_at, session_id
FROM bmp.router
WHERE session_id IS NOT NULL;  -- what only ever was refused is no router

CREATE VIEW bmp.v_peers AS
SELECT r.name AS router, p.address AS peer_address, p.asn AS peer_asn, bmp.bgp_id_text(p.bgp_id) AS peer_bgp_id,
  bmp.peer_type_text(p.peer_type) AS peer_type, bmp.distinguisher_text(p.distinguisher) AS peer_distinguisher,
  p.table_name, bmp.rib_view_text(s.rib_view) AS rib_view,
  CASE WHEN NOT s.up THEN 'down' WHEN r.connected AND r.session_id = s.session_id THEN 'up' ELSE 'stale' END AS state,
  s.up_at, s.down_at, s.down_reason, s.capabilities,
  s.local_address, s.local_port, s.remote_port, s.session_id
FROM bmp.peer_state s JOIN bmp.peer p USING (peer_id) JOIN bmp.router r USING (router_id);

-- Outer joins, so that a query that doesn't ask for a table's columns doesn't pay for it; two branches, so that a condition
-- on the prefix reaches the primary key.
CREATE VIEW bmp.v_rib AS
SELECT r.name AS router, p.address AS peer_address, p.asn AS peer_asn, bmp.bgp_id_text(p.bgp_id) AS peer_bgp_id,
  bmp.peer_type_text(p.peer_type) AS peer_type, bmp.distinguisher_text(p.distinguisher) AS peer_distinguisher,
  p.table_name, bmp.rib_view_text(t.rib_view) AS rib_view,
  t.family >> 8 AS afi, t.family & 255 AS safi, bmp.family_text(t.family) AS family,
  CASE WHEN bmp.has_rd(t.family) THEN bmp.rd_text(t.rd) END AS rd,
  t.prefix, bmp.nlri_text(t.family, t.rd, t.prefix, t.nlri) AS nlri, nullif(t.path_id, -1) AS path_id,
  a.next_hop, a.origin, a.as_path, a.origin_asn, a.med, a.local_pref, a.communities, a.large_communities,
  a.ext_communities, t.labels, a.attributes,
  t.first_seen, t.last_changed,
  coalesce(NOT s.live OR s.session_id <> t.session_id, true) AS stale,
  t.session_id, t.peer_id, a.next_hop_link_local, a.as_path_asns
FROM (
    SELECT prefix, NULL::bytea AS nlri, rd, path_id, peer_id, family, rib_view, session_id, first_seen, last_changed, attr,
      labels
    FROM bmp.rib_route WHERE nlri = ''
  UNION ALL
    SELECT NULL, coalesce(long_nlri, nlri), rd, path_id, peer_id, family, rib_view, session_id, first_seen, last_changed,
      attr, labels
    FROM bmp.rib_route WHERE nlri <> '') t
  LEFT JOIN bmp.peer p ON p.peer_id = t.peer_id
  LEFT JOIN bmp.router r ON r.router_id = p.router_id
  LEFT JOIN bmp.live_session s ON s.router_id = p.router_id
  LEFT JOIN bmp.attrs a ON a.h = t.attr;

CREATE VIEW bmp.v_route_history AS
SELECT r.name AS router, p.address AS peer_address, p.asn AS peer_asn, bmp.bgp_id_text(p.bgp_id) AS peer_bgp_id,
  bmp.peer_type_text(p.peer_type) AS peer_type, bmp.distinguisher_text(p.distinguisher) AS peer_distinguisher,
  p.table_name, bmp.rib_view_text(e.rib_view) AS rib_view,
  e.family >> 8 AS afi, e.family & 255 AS safi, bmp.family_text(e.family) AS family,
  bmp.rd_text(e.rd) AS rd, e.prefix, bmp.nlri_text(e.family, e.rd, e.prefix, e.nlri) AS nlri, e.path_id,
  a.next_hop, a.origin, a.as_path, a.origin_asn, a.med, a.local_pref, a.communities, a.large_communities,
  a.ext_communities, e.labels, a.attributes,
  CASE e.action WHEN 1 THEN 'announce' ELSE 'withdraw' END AS event,
  e.synthetic, e.received_at, e.router_time, e.session_id, e.sequence,
  a.next_hop_link_local, a.as_path_asns
FROM bmp.route_event e
  LEFT JOIN bmp.peer p ON p.peer_id = e.peer_id
  LEFT JOIN bmp.router r ON r.router_id = p.router_id
  LEFT JOIN bmp.attrs a ON a.h = e.attr;

CREATE VIEW bmp.v_peer_events AS
SELECT r.name AS router, e.address AS peer_address, e.asn AS peer_asn, bmp.bgp_id_text(e.bgp_id) AS peer_bgp_id,
  bmp.peer_type_text(e.peer_type) AS peer_type, bmp.distinguisher_text(e.distinguisher) AS peer_distinguisher,
  e.table_name, bmp.rib_view_text(e.rib_view) AS rib_view,
  e.event, e.reason_code, e.reason, e.received_at, e.router_time, e.session_id, e.sequence, e.detail
FROM bmp.peer_event e JOIN bmp.router r USING (router_id);

CREATE VIEW bmp.v_stats AS
SELECT r.name AS router, s.address AS peer_address, s.asn AS peer_asn, bmp.bgp_id_text(s.bgp_id) AS peer_bgp_id,
  bmp.peer_type_text(s.peer_type) AS peer_type, bmp.distinguisher_text(s.distinguisher) AS peer_distinguisher,
  bmp.rib_view_text(s.rib_view) AS rib_view,
  s.type, s.name, s.afi, s.safi, s.value, s.received_at, s.router_time, s.session_id, s.sequence, s.raw
FROM bmp.statistic s JOIN bmp.router r USING (router_id);

CREATE VIEW bmp.v_mirror AS
SELECT r.name AS router, m.address AS peer_address, m.asn AS peer_asn, bmp.bgp_id_text(m.bgp_id) AS peer_bgp_id,
  bmp.peer_type_text(m.peer_type) AS peer_type, bmp.distinguisher_text(m.distinguisher) AS peer_distinguisher,
  bmp.rib_view_text(m.rib_view) AS rib_view,
  m.type, m.name, m.bytes, m.received_at, m.router_time, m.session_id, m.sequence, m.n
FROM bmp.mirrored_message m JOIN bmp.router r USING (router_id);

CREATE VIEW bmp.v_quarantine AS
SELECT r.name AS router, q.address AS peer_address, q.asn AS peer_asn, bmp.bgp_id_text(q.bgp_id) AS peer_bgp_id,
  bmp.peer_type_text(q.peer_type) AS peer_type, bmp.distinguisher_text(q.distinguisher) AS peer_distinguisher,
  bmp.rib_view_text(q.rib_view) AS rib_view,
  q.message_type, q.reason, q.section, q.byte_offset, q.bytes,
  q.received_at, q.router_time, q.session_id, q.sequence, q.kafka_record
FROM bmp.quarantine q LEFT JOIN bmp.router r USING (router_id);

-- Where an address (or prefix) goes: the longest match of every peer and view, all its paths. Unicast and labelled
-- unicast; routes of a VPN are found by their RD in v_rib, because an address means nothing there without it.
CREATE FUNCTION bmp.lookup(address inet) RETURNS SETOF bmp.v_rib LANGUAGE sql STABLE AS $$
  SELECT (match).* FROM (
    SELECT v AS match, rank() OVER (PARTITION BY v.peer_id, v.rib_view ORDER BY masklen(v.prefix) DESC) AS place
    FROM bmp.v_rib v
    WHERE v.prefix = ANY (bmp.covering(address)) AND v.safi IN (1, 4)) m
  WHERE place = 1
$$;
