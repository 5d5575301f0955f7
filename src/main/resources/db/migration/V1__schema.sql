-- The tables of the station. Users query the views v_… and the functions that docs/how-to/query.md describes; the
-- tables themselves may change.
--
-- Conventions: unsigned 32-bit values are bigint. A family is one integer, AFI << 8 | SAFI. A RIB view and a peer type
-- are stored as their protocol codes. Times are timestamptz; received_at is the station's clock, router_time the
-- router's.

-- Routers and peers ---------------------------------------------------------------------------------------------------

-- The state of a router according to the peer lane; other lanes only insert rows.
CREATE TABLE bmp.router (
  router_id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL UNIQUE,
  address inet,
  sys_name text,
  sys_descr text,
  session_id bigint,               -- the newest session seen
  connected boolean NOT NULL DEFAULT true,
  connected_at timestamptz,
  disconnected_at timestamptz,
  collector text,                  -- the collector of the newest session
  -- Where the newest session had the name from (docs/how-to/routers.md): configured, certificate, sys-name, bgp-id,
  -- address or disambiguated; null until its session-up event is stored.
  name_source text
);

-- The newest start of each collector. Sessions of the collector with a smaller id have ended.
CREATE TABLE bmp.collector (
  name text PRIMARY KEY,
  session_id bigint NOT NULL,
  started_at timestamptz NOT NULL
);

-- The newest session of each router according to the lane of the current state, in the order of its routes. A route
-- whose session is not its router's live session is stale, so losing a session updates one row however many routes it
-- had.
CREATE TABLE bmp.live_session (
  router_id integer PRIMARY KEY REFERENCES bmp.router,
  session_id bigint NOT NULL,
  live boolean NOT NULL,
  collector text,
  -- When the lane recorded that the session came up or was lost. Stale timeouts count from here rather than from the
  -- event: a lane that lags behind has not read yet what the router has sent since.
  recorded_at timestamptz NOT NULL DEFAULT now()
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

-- One row per peer and view that came up. Most routers send one Peer Up for all views of a peer, some send one per
-- view.
CREATE TABLE bmp.peer_state (
  peer_id integer NOT NULL REFERENCES bmp.peer,
  rib_view smallint NOT NULL,
  up boolean NOT NULL,
  session_id bigint NOT NULL,      -- with sequence: the newest event applied
  sequence bigint NOT NULL,
  up_at timestamptz,
  down_at timestamptz,
  down_reason text,
  local_address inet,
  local_port integer,
  remote_port integer,
  capabilities jsonb,
  -- How UPDATEs are decoded where that differs from the Peer Up: {view: {"add_path": {family: …}, …}}; null where
  -- nothing differs.
  decode jsonb,
  announced boolean NOT NULL DEFAULT true,  -- false: routes arrived without a Peer Up
  PRIMARY KEY (peer_id, rib_view)
);

-- Low-volume records --------------------------------------------------------------------------------------------------

-- These rows contain the identity of the peer instead of a reference: a Peer Down of a peer that never came up is
-- stored without creating the peer. (session_id, sequence, router_id, …) is unique, so a record that Kafka delivers
-- twice is stored once, and no router can take the place of another's record.
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
  detail jsonb NOT NULL,           -- the other fields of the record
  UNIQUE (session_id, sequence, router_id, event)
);
CREATE INDEX ON bmp.peer_event USING brin (received_at);
-- Whether a router's session was live at a time: read by rib_at().
CREATE INDEX peer_event_session ON bmp.peer_event (router_id, received_at) WHERE event IN ('session-up', 'session-down');

CREATE TABLE bmp.statistic (
  received_at timestamptz NOT NULL,
  router_time timestamptz,
  session_id bigint NOT NULL,
  sequence bigint NOT NULL,
  ordinal integer NOT NULL,        -- position within the report, from 0
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
  value numeric(20),               -- unsigned 64-bit; null if the value has another format, see raw
  raw bytea,
  UNIQUE (session_id, sequence, router_id, ordinal)
);
CREATE INDEX ON bmp.statistic USING brin (received_at);

CREATE TABLE bmp.mirrored_message (
  received_at timestamptz NOT NULL,
  router_time timestamptz,
  session_id bigint NOT NULL,
  sequence bigint NOT NULL,
  ordinal integer NOT NULL,        -- position within the Route Mirroring message, from 0
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
  UNIQUE (session_id, sequence, router_id, ordinal)
);
CREATE INDEX ON bmp.mirrored_message USING brin (received_at);

-- Input that could not be used, with its bytes: a BMP message (session_id and sequence are set), or a Kafka record that
-- a lane could not read or store (kafka_record is set).
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
  rfc_section text,
  bytes bytea NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,  -- for paging
  redecoded_at timestamptz,        -- when silkroute redecode decoded the message; null: open
  UNIQUE NULLS NOT DISTINCT (session_id, sequence, router_id, byte_offset, kafka_record)
);
CREATE INDEX ON bmp.quarantine USING brin (received_at);
CREATE UNIQUE INDEX quarantine_id ON bmp.quarantine (id);

-- Attribute sets ------------------------------------------------------------------------------------------------------

-- Each distinct attribute set once, under the 128-bit hash of its canonical bytes. A value that one column contains is
-- not repeated in another (ADR 16): as_path_asns is null if as_path is a plain sequence of AS numbers, and attributes
-- has only what has no column. A set without ORIGIN has all of its attributes there. The view path_attributes restores
-- the complete set.
CREATE TABLE bmp.attribute_set (
  attribute_hash uuid PRIMARY KEY,
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
  attributes jsonb,                -- null, like every column but raw, if the set could not be decoded
  raw bytea NOT NULL,
  -- The day (UTC) on which a writer last looked the set up. Writers clear their caches at least once a day, so the date
  -- of a set in use is never older than yesterday.
  last_used date DEFAULT (now() AT TIME ZONE 'UTC')::date,
  originator_id inet,
  cluster_list text                -- addresses, separated by spaces
) WITH (fillfactor = 95);          -- leaves room for updates of last_used

-- Attribute sets that a maintenance pass found unused and that are still to be removed.
CREATE UNLOGGED TABLE bmp.unused_attribute_set (attribute_hash uuid PRIMARY KEY);

-- History -------------------------------------------------------------------------------------------------------------

-- An announcement or withdrawal. Functions that return events return this type, and route_event has its columns: a new
-- column is added here (ALTER TYPE), to route_event and to route_snapshot.
CREATE TYPE bmp.event AS (
  received_at timestamptz,
  router_time timestamptz,
  session_id bigint,
  sequence bigint,
  path_id bigint,                  -- null: no path identifier
  rd bigint,                       -- null: the family has no route distinguisher
  peer_id integer,
  family integer,
  rib_view smallint,
  action smallint,                 -- 0 withdraw, 1 announce
  synthetic boolean,               -- generated by the station rather than received from the router
  attribute_hash uuid,             -- null: withdrawal
  prefix cidr,                     -- null: the NLRI is not a prefix, see nlri
  nlri bytea,
  labels integer[],
  nlri_as_text text,               -- canonical text of nlri (docs/reference/nlri.md)
  path_status bigint,              -- path marking (draft-ietf-grow-bmp-path-marking-tlv): null: none sent; 0: no status applies
  path_reason integer
);

-- Every announcement and withdrawal, partitioned by the station's clock because routers' clocks may be wrong.
CREATE TABLE bmp.route_event (LIKE bmp.event) PARTITION BY RANGE (received_at);
ALTER TABLE bmp.route_event
  ALTER received_at SET NOT NULL, ALTER session_id SET NOT NULL, ALTER sequence SET NOT NULL, ALTER peer_id SET NOT NULL,
  ALTER family SET NOT NULL, ALTER rib_view SET NOT NULL, ALTER action SET NOT NULL, ALTER synthetic SET NOT NULL;
CREATE INDEX route_event_received_at ON bmp.route_event USING brin (received_at) WITH (autosummarize = on);

-- Days of the history that have ended: their partitions have an index on the prefix, and a trigger records late events.
CREATE TABLE bmp.history_day (
  day date PRIMARY KEY,
  closed_at timestamptz NOT NULL,
  events bigint NOT NULL           -- an estimate
);

-- Days to which events were added, or from which events were removed, after they were closed. Snapshots taken since do
-- not include that.
CREATE TABLE bmp.history_late (
  day date NOT NULL,
  recorded_at timestamptz NOT NULL
);

-- Snapshots: all routes as they were at a midnight (UTC), each as the announcement that made it so. The state at any
-- later time is a snapshot plus the events since, so queries need not read the history from its beginning, and the
-- history before the oldest snapshot can be removed.
CREATE TABLE bmp.route_snapshot (
  snapshot_at timestamptz NOT NULL,
  received_at timestamptz NOT NULL,
  router_time timestamptz,
  session_id bigint NOT NULL,
  sequence bigint NOT NULL,
  path_id bigint,
  rd bigint,
  peer_id integer NOT NULL,
  family integer NOT NULL,
  rib_view smallint NOT NULL,
  attribute_hash uuid,
  prefix cidr,
  nlri bytea,
  labels integer[],
  nlri_as_text text,
  path_status bigint,
  path_reason integer
) PARTITION BY LIST (snapshot_at);

-- The complete snapshots. Each contains the effect of every event received before snapshot_at.
CREATE TABLE bmp.snapshot (
  snapshot_at timestamptz PRIMARY KEY,
  created_at timestamptz NOT NULL,
  routes bigint NOT NULL,
  history_purged boolean NOT NULL DEFAULT false  -- the history before it has been removed, so it cannot be taken again
);

-- Current state (docs/explanation/state.md, ADR 13) ---

-- A route keeps its number while it exists, even if its attributes change. A route that a new session announces
-- unchanged is recorded by its number (rib_confirmed) instead of being rewritten.
CREATE SEQUENCE bmp.rib_route_id CACHE 1000;

-- The current routes. A row is updated only when its route changes, and such updates touch no index. The prefix is the
-- first column of the primary key, so that exact, covering and covered lookups need no second index.
CREATE TABLE bmp.rib_route (
  prefix cidr NOT NULL,            -- ::/128 where the NLRI is not a prefix
  -- Empty for prefixes. Otherwise the part of the NLRI that identifies the route (bmp.nlri_key), or its SHA-256 if it
  -- is too long for an index entry.
  nlri bytea NOT NULL,
  rd bigint NOT NULL,              -- 0 where the family has none
  path_id bigint NOT NULL,         -- -1: no path identifier
  peer_id integer NOT NULL,
  family integer NOT NULL,
  rib_view smallint NOT NULL,
  session_id bigint NOT NULL,      -- the newest session that changed it
  first_seen timestamptz NOT NULL,
  last_changed timestamptz NOT NULL,
  attribute_hash uuid NOT NULL,
  labels integer[],
  long_nlri bytea,                 -- the complete NLRI if it differs from nlri
  nlri_as_text text,
  path_status bigint,
  path_reason integer,
  route_id bigint NOT NULL DEFAULT nextval('bmp.rib_route_id'),
  generation integer NOT NULL DEFAULT 0,  -- of the peer's view, see rib_table
  PRIMARY KEY (prefix, peer_id, rib_view, family, rd, path_id, nlri)
) PARTITION BY HASH (prefix);

DO $$ BEGIN
  FOR i IN 0..7 LOOP
    EXECUTE format('CREATE TABLE bmp.rib_route_%s PARTITION OF bmp.rib_route FOR VALUES WITH (MODULUS 8, REMAINDER %s)
      WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05)', i, i);
  END LOOP;
END $$;
-- For Peer Down, and for the few rows whose NLRI is not a prefix. These columns never change, so updates stay
-- heap-only. The index is on an expression so that the planner does not prefer it to the primary key for finding a
-- single route: before the first ANALYZE it estimates only a few routes per peer.
CREATE INDEX rib_route_peer ON bmp.rib_route ((peer_id::bigint << 3 | rib_view));
CREATE INDEX rib_route_no_prefix ON bmp.rib_route (family) WHERE nlri <> '';

-- A peer's table: its routes in one view. A Peer Down begins a new generation: the routes of the ended one
-- disappear at once, however many they are, and their rows are removed in small transactions.
CREATE TABLE bmp.rib_table (
  peer_id integer NOT NULL,
  rib_view smallint NOT NULL,
  generation integer NOT NULL,
  session_id bigint NOT NULL,      -- the newest session that sent an event for the table
  oldest_session_id bigint NOT NULL,  -- no route of the generation is from an older session
  empty boolean NOT NULL,          -- the generation has not had a route yet
  PRIMARY KEY (peer_id, rib_view)
);

-- Generations that have ended, with the event that ended them, until their last row is removed.
CREATE TABLE bmp.rib_ended (
  peer_id integer NOT NULL,
  rib_view smallint NOT NULL,
  generation integer NOT NULL,
  session_id bigint NOT NULL,
  sequence bigint NOT NULL,
  received_at timestamptz NOT NULL,
  PRIMARY KEY (peer_id, rib_view, generation)
);

-- Tables that are synchronized (End-of-RIB received) and whose routes from older sessions, unless confirmed, are still
-- to be withdrawn. View -1 and family 0 stand for all tables of the peer.
CREATE TABLE bmp.rib_resync (
  peer_id integer NOT NULL,
  rib_view smallint NOT NULL,
  family integer NOT NULL,
  session_id bigint NOT NULL,
  sequence bigint NOT NULL,
  received_at timestamptz NOT NULL,
  PRIMARY KEY (peer_id, rib_view, family)
);

-- The newest session in which a table is synchronized and no unconfirmed route of an older session is left: the
-- remaining rows of older sessions are as current as those of that session.
CREATE TABLE bmp.rib_sync (
  peer_id integer NOT NULL,
  rib_view smallint NOT NULL,
  family integer NOT NULL,
  session_id bigint NOT NULL,
  PRIMARY KEY (peer_id, rib_view, family)
) WITH (fillfactor = 70);

-- Routes of older sessions that a session has announced unchanged, until their table is synchronized in it.
CREATE TABLE bmp.rib_confirmed (
  id bigint GENERATED ALWAYS AS IDENTITY,
  peer_id integer NOT NULL,
  rib_view smallint NOT NULL,
  family integer NOT NULL,
  session_id bigint NOT NULL,
  lowest_route_id bigint NOT NULL,
  highest_route_id bigint NOT NULL,
  route_ids bigint[] NOT NULL
);
ALTER TABLE bmp.rib_confirmed ALTER COLUMN route_ids SET STORAGE EXTERNAL;
CREATE INDEX rib_confirmed_table ON bmp.rib_confirmed (peer_id, rib_view, family, session_id);

-- When a writer last checked for stale tables. Time during which nobody checked does not count towards stale timeouts:
-- the database or all writers were unavailable, so nothing was read either. One row.
CREATE TABLE bmp.stale_check (checked_at timestamptz NOT NULL);
INSERT INTO bmp.stale_check VALUES (now());

-- Withdrawals that the station generated and that are not yet published to bmp.withdrawals.json
-- (docs/explanation/state.md). A row is inserted in the transaction that inserts the corresponding row of route_event.
-- Empty if publishing is disabled.
--
-- The ids of one router ascend in commit order, because withdrawals of a router exclude each other by a lock and the id
-- is taken under that lock. Therefore the sequence must not have a cache, from which a connection would take ids that
-- it reserved earlier.
CREATE TABLE bmp.withdrawal_outbox (
  id bigint GENERATED ALWAYS AS IDENTITY (CACHE 1) PRIMARY KEY,
  received_at timestamptz NOT NULL,
  session_id bigint NOT NULL,
  sequence bigint NOT NULL,
  path_id bigint,                  -- null: no path identifier
  rd bigint,                       -- null: the family has no route distinguisher
  peer_id integer NOT NULL,
  family integer NOT NULL,
  rib_view smallint NOT NULL,
  prefix cidr,                     -- null: the NLRI is not a prefix
  nlri text                        -- null: the text of the prefix
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);  -- a queue that is emptied as fast as it is filled

-- Whether the station fills the outbox, for tools that withdraw routes in its place. One row.
CREATE TABLE bmp.withdrawal_topic (enabled boolean NOT NULL);
INSERT INTO bmp.withdrawal_topic VALUES (false);

-- Lanes ---------------------------------------------------------------------------------------------------------------

-- The position of each lane in Kafka, advanced in the transaction that stores the records: records below next_offset
-- are stored, others are not. Topics are identified by their id, so a topic that is deleted and created again is read
-- from its beginning. To make a lane read a partition again, stop the writers, remove the stored rows, and set
-- next_offset. Without a row, a lane begins at the committed offset of its consumer group.
CREATE TABLE bmp.lane_offset (
  lane text NOT NULL,
  topic text NOT NULL,
  topic_id uuid NOT NULL,
  kafka_partition integer NOT NULL,
  next_offset bigint NOT NULL,
  -- The latest timestamp of the stored records, milliseconds since 1970; null if unknown. A later one below next_offset
  -- belongs to a record that has taken the offset of a stored one: Kafka has lost the end of the partition
  -- (docs/reference/pgcopy.md).
  max_timestamp_ms bigint,
  PRIMARY KEY (lane, topic_id, kafka_partition)
) WITH (fillfactor = 50, autovacuum_vacuum_threshold = 100);

-- Maintenance, reconciliation, tenants --------------------------------------------------------------------------------

-- The progress of a pass over a table that proceeds in batches of pages.
CREATE TABLE bmp.maintenance_pass (
  name text PRIMARY KEY,
  position bigint NOT NULL DEFAULT 0,  -- the next page
  finished_at timestamptz
);

-- Since when the station's route count of a table has differed from the router's. Written by reconcile_measure().
CREATE TABLE bmp.reconcile_difference (
  peer_id integer NOT NULL,
  rib_view smallint NOT NULL,
  family integer NOT NULL,         -- 0: all families together
  since timestamptz NOT NULL,
  difference numeric NOT NULL,
  PRIMARY KEY (peer_id, rib_view, family)
);

-- The routers that a tenant may see (docs/how-to/query.md). Without effect until bmp.keep_tenants_apart() is called. A
-- router is identified by its name, so that it can be assigned before it first connects, and may be assigned to several
-- tenants.
CREATE TABLE bmp.tenant_router (
  tenant text NOT NULL,
  router text NOT NULL,
  PRIMARY KEY (tenant, router)
);

-- Roles to which tenant policies apply. A role that sees all routers is for people and tools that belong to no tenant.
CREATE TABLE bmp.tenant_role (
  role name PRIMARY KEY,
  sees_all boolean NOT NULL
);
