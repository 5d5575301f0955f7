-- What questions about the past and the upkeep of the tables need besides the history itself: docs/sql.md, ADR 14.

-- The day (UTC) on which a writer last had to look whether the set is there. Writers forget what they know at least once a
-- day, so a set that is in use is never older than yesterday. Null: written before there was this column.
ALTER TABLE bmp.attrs ADD COLUMN last_used date DEFAULT (now() AT TIME ZONE 'UTC')::date;
ALTER TABLE bmp.attrs SET (fillfactor = 90);

-- Whether a router's session was live at a time: read by rib_at.
CREATE INDEX peer_event_session ON bmp.peer_event (router_id, received_at) WHERE event IN ('session-up', 'session-down');

-- Bases: all routes as they were at a midnight (UTC), each as the announcement that made it so. The state at any later
-- time is a base and the events since, so that nobody has to read the history from its beginning, and so that the
-- history before the oldest one may go.
CREATE TABLE bmp.route_base (
  at timestamptz NOT NULL,
  received_at timestamptz NOT NULL,
  router_time timestamptz,
  session_id bigint NOT NULL,
  sequence bigint NOT NULL,
  path_id bigint,
  rd bigint,
  peer_id integer NOT NULL,
  family integer NOT NULL,
  rib_view smallint NOT NULL,
  attr uuid,
  prefix cidr,
  nlri bytea,
  labels integer[],
  nlri_as_text text,
  path_status bigint,
  path_reason integer
) PARTITION BY LIST (at);

-- A base counts from the moment it is here. It holds every event received before it.
CREATE TABLE bmp.route_base_made (
  at timestamptz PRIMARY KEY,
  made_at timestamptz NOT NULL,
  routes bigint NOT NULL,
  history_gone boolean NOT NULL DEFAULT false  -- nothing is known of the time before, so it can't be made again
);

-- Days of the history that have ended: their partitions have an index on the prefix, and note whoever comes late.
CREATE TABLE bmp.history_day (
  day date PRIMARY KEY,
  closed_at timestamptz NOT NULL,
  events bigint NOT NULL             -- about
);

-- Days that events were stored in, or taken out of, after they were closed: bases made since don't know of it.
CREATE TABLE bmp.history_late (
  day date NOT NULL,
  noted_at timestamptz NOT NULL
);

-- How far a pass over a table has come that goes slice by slice.
CREATE TABLE bmp.upkeep_pass (
  name text PRIMARY KEY,
  position bigint NOT NULL DEFAULT 0,
  finished_at timestamptz
);

-- Attribute sets that a pass found unused and has yet to remove.
CREATE UNLOGGED TABLE bmp.attrs_unused (h uuid PRIMARY KEY);

-- Since when a table of a router and ours have differed in size. Written by reconcile_measure().
CREATE TABLE bmp.reconcile_difference (
  peer_id integer NOT NULL,
  rib_view smallint NOT NULL,
  family integer NOT NULL,             -- 0: all families together
  since timestamptz NOT NULL,
  difference numeric NOT NULL,
  PRIMARY KEY (peer_id, rib_view, family)
);
