-- Maintenance: docs/reference/database.md, ADR 14. next_maintenance_step() examines the database and returns the next
-- thing to do as a statement that must be executed by itself, outside a transaction, because some statements cannot run
-- in one. An interrupted step is found again. Only one station performs maintenance at a time (an advisory lock). No
-- step stops writers: steps take locks that do not conflict with COPY, or wait for a lock only briefly.

CREATE OR REPLACE FUNCTION bmp.day_start(day date) RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT day::timestamp AT TIME ZONE 'UTC' $$;
COMMENT ON FUNCTION bmp.day_start IS 'Internal: the beginning of a day (UTC)';

CREATE OR REPLACE FUNCTION bmp.history_partitions() RETURNS TABLE (day date, name text, state text, relid oid) LANGUAGE sql STABLE AS $$
  SELECT to_date(right(c.relname, 8), 'YYYYMMDD'), c.relname::text,
    CASE WHEN i.inhrelid IS NULL THEN 'detached' WHEN i.inhdetachpending THEN 'detaching' ELSE 'attached' END, c.oid
  FROM pg_class c LEFT JOIN pg_inherits i ON i.inhrelid = c.oid AND i.inhparent = 'bmp.route_event'::regclass
  WHERE c.relnamespace = 'bmp'::regnamespace AND c.relkind = 'r' AND c.relname ~ '^route_event_[0-9]{8}$'
$$;
COMMENT ON FUNCTION bmp.history_partitions IS 'The partitions of the history, one per day (UTC). state: attached, detaching (a detach was interrupted), or detached';

CREATE OR REPLACE FUNCTION bmp.snapshot_partitions() RETURNS TABLE (snapshot_at timestamptz, name text, state text) LANGUAGE sql STABLE AS $$
  SELECT bmp.day_start(to_date(right(c.relname, 8), 'YYYYMMDD')), c.relname::text,
    CASE WHEN i.inhrelid IS NULL THEN 'detached' WHEN i.inhdetachpending THEN 'detaching' ELSE 'attached' END
  FROM pg_class c LEFT JOIN pg_inherits i ON i.inhrelid = c.oid AND i.inhparent = 'bmp.route_snapshot'::regclass
  WHERE c.relnamespace = 'bmp'::regnamespace AND c.relkind = 'r' AND c.relname ~ '^route_snapshot_[0-9]{8}$'
$$;
COMMENT ON FUNCTION bmp.snapshot_partitions IS 'The partitions of the snapshots. state: attached, detaching (a detach was interrupted), or detached';

-- TimescaleDB ---------------------------------------------------------------------------------------------------------

CREATE OR REPLACE FUNCTION bmp.is_hypertable() RETURNS boolean LANGUAGE sql STABLE AS
$$ SELECT relkind <> 'p' FROM pg_class WHERE oid = to_regclass('bmp.route_event') $$;
COMMENT ON FUNCTION bmp.is_hypertable IS 'Internal: whether the history is a hypertable of TimescaleDB. Then its days are chunks, which are not closed';

CREATE OR REPLACE FUNCTION bmp.use_timescaledb() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  LOCK TABLE bmp.route_event IN ACCESS EXCLUSIVE MODE;
  IF EXISTS (SELECT FROM bmp.route_event) THEN
    RAISE object_not_in_prerequisite_state USING MESSAGE = 'the history is not empty, so it stays in plain partitions';
  END IF;
  ALTER TABLE bmp.route_event RENAME TO route_event_plain;
  CREATE TABLE bmp.route_event (LIKE bmp.route_event_plain INCLUDING DEFAULTS);
  PERFORM create_hypertable('bmp.route_event'::regclass, 'received_at'::name, chunk_time_interval => interval '1 day',
    create_default_indexes => false);
  CREATE INDEX ON bmp.route_event USING brin (received_at);
  EXECUTE 'CREATE OR REPLACE VIEW bmp.v_route_history WITH (security_invoker = true) AS '
    || replace(pg_get_viewdef('bmp.v_route_history'::regclass), 'route_event_plain', 'route_event');
  DROP TABLE bmp.route_event_plain;
  ALTER TABLE bmp.route_event SET (timescaledb.compress, timescaledb.compress_segmentby = 'peer_id, rib_view',
    timescaledb.compress_orderby = 'prefix, received_at');
  PERFORM add_compression_policy('bmp.route_event'::regclass, interval '2 days');
END $$;
COMMENT ON FUNCTION bmp.use_timescaledb IS 'Internal: replaces the history by a hypertable while it is empty. Compressed chunks are ordered as queries read them: by peer and view, then by prefix. Not tested with TimescaleDB itself: ADR 14';

-- Days of the history -------------------------------------------------------------------------------------------------

-- Creates the missing daily partitions (UTC) from one time to another, both inclusive, and returns how many were
-- missing. A hypertable needs none. ATTACH instead of CREATE … PARTITION OF, because it blocks neither readers nor
-- writers.
CREATE OR REPLACE FUNCTION bmp.ensure_partitions(from_time timestamptz, to_time timestamptz) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  day date := (from_time AT TIME ZONE 'UTC')::date;
  last_day date := (to_time AT TIME ZONE 'UTC')::date;
  name text;
  created integer := 0;
BEGIN
  IF day < '2000-01-01' OR last_day > '2199-12-31' OR last_day - day > 400 THEN
    RAISE invalid_parameter_value USING MESSAGE = format('cannot create partitions from %s to %s', from_time, to_time);
  END IF;
  IF bmp.is_hypertable() THEN
    RETURN 0;
  END IF;
  WHILE day <= last_day LOOP
    name := 'route_event_' || to_char(day, 'YYYYMMDD');
    IF to_regclass('bmp.' || name) IS NULL THEN
      PERFORM pg_advisory_xact_lock(hashtext('bmp.ensure_partitions'));
      -- Reads pg_class because to_regclass caches its result and another lane may have created the partition since.
      IF NOT EXISTS (SELECT FROM pg_class WHERE relname = name AND relnamespace = 'bmp'::regnamespace) THEN
        EXECUTE format('CREATE TABLE bmp.%I (LIKE bmp.route_event INCLUDING DEFAULTS)', name);
        EXECUTE format('ALTER TABLE bmp.route_event ATTACH PARTITION bmp.%I FOR VALUES FROM (%L) TO (%L)',
          name, day || ' 00:00:00+00', day + 1 || ' 00:00:00+00');
        created := created + 1;
      END IF;
    END IF;
    day := day + 1;
  END LOOP;
  RETURN created;
END $$;
COMMENT ON FUNCTION bmp.ensure_partitions IS 'Internal: creates the missing daily partitions (UTC) from one time to another, both inclusive, and returns how many were missing';

-- The trigger of closed days: records a late event. A transaction records a day once. The records have no key, so that
-- writers do not wait for each other.
CREATE OR REPLACE FUNCTION bmp.record_late_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF coalesce(current_setting('silkroute.late_day', true), '') <> TG_ARGV[0] THEN
    INSERT INTO bmp.history_late (day, recorded_at) VALUES (TG_ARGV[0]::date, clock_timestamp());
    PERFORM set_config('silkroute.late_day', TG_ARGV[0], true);
  END IF;
  RETURN NULL;
END $$;
COMMENT ON FUNCTION bmp.record_late_event IS 'Internal: the trigger of closed days: records a late event';

CREATE OR REPLACE FUNCTION bmp.track_late_events(day date) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  SET LOCAL lock_timeout = '500ms';  -- Writers that arrive later would queue behind our lock request.
  EXECUTE format('CREATE TRIGGER late AFTER INSERT OR DELETE ON bmp.%I FOR EACH ROW EXECUTE FUNCTION bmp.record_late_event(%L)',
    'route_event_' || to_char(day, 'YYYYMMDD'), day);
END $$;
COMMENT ON FUNCTION bmp.track_late_events IS 'Internal: creates the trigger of a day';

CREATE OR REPLACE FUNCTION bmp.close_day(day date) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  name text := 'route_event_' || to_char(day, 'YYYYMMDD');
  filled boolean;
BEGIN
  EXECUTE format('ANALYZE bmp.%I', name);
  INSERT INTO bmp.history_day (day, closed_at, events)
  SELECT close_day.day, now(), greatest(reltuples, 0) FROM pg_class
  WHERE relname = name AND relnamespace = 'bmp'::regnamespace;
  EXECUTE format('SELECT EXISTS (SELECT FROM bmp.%I)', name) INTO filled;
  IF filled AND EXISTS (SELECT FROM bmp.snapshot WHERE snapshot_at > bmp.day_start(close_day.day)) THEN
    INSERT INTO bmp.history_late (day, recorded_at) VALUES (close_day.day, clock_timestamp());
  END IF;
END $$;
COMMENT ON FUNCTION bmp.close_day IS 'Internal: the last step of closing a day: analyzes it and stores its estimated number of events. Snapshots are taken when all days before them are closed, so a snapshot after this day was taken before the day existed and lacks its events';

CREATE OR REPLACE FUNCTION bmp.unclosed_days() RETURNS TABLE (day date, name text, relid oid) LANGUAGE sql STABLE AS $$
  SELECT p.day, p.name, p.relid FROM bmp.history_partitions() p
  WHERE p.state = 'attached' AND bmp.day_start(p.day) <= now()
    AND NOT EXISTS (SELECT FROM bmp.history_day d WHERE d.day = p.day)
    AND bmp.day_start(p.day) >= coalesce((SELECT min(m.snapshot_at) FROM bmp.snapshot m WHERE m.history_purged), '-infinity')
$$;
COMMENT ON FUNCTION bmp.unclosed_days IS 'Internal: the partitions of today and of earlier days that are not closed';

CREATE OR REPLACE FUNCTION bmp.index_statement(name text) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE
    WHEN i.indexrelid IS NULL THEN format('CREATE INDEX CONCURRENTLY %I ON bmp.%I (prefix, received_at) WITH (fillfactor = 100)',  -- few events are late
      name || '_prefix', name)
    WHEN NOT i.indisvalid THEN format('DROP INDEX CONCURRENTLY bmp.%I', name || '_prefix') END  -- left by an interrupted build
  FROM (VALUES (0)) v LEFT JOIN pg_index i ON i.indexrelid = to_regclass('bmp.' || quote_ident(name || '_prefix'))
$$;
COMMENT ON FUNCTION bmp.index_statement IS 'Internal: the next statement for the index of a day that is over; null if it is complete';

-- ADR 38. A day that is not over has an index on the prefix for its first part, and one for a second part that follows
-- it. Both end with the time of their construction, so that writers insert nothing into them. When as many events as
-- index_after have arrived since, but at least a fiftieth of those in both, the second part is built again with them;
-- when it would have more than a fifth of the first part's events, the first part is built again instead, with all
-- events. This bounds how often each event is indexed. Days before it get their index first, because
-- bmp.history_events() uses the indexes of one open day only.
CREATE OR REPLACE FUNCTION bmp.open_day_statement(index_after bigint) RETURNS text LANGUAGE plpgsql STABLE AS $$
DECLARE
  obsolete text := (SELECT i.name FROM bmp.open_day_indexes() i
    WHERE NOT i.valid
      OR EXISTS (SELECT FROM bmp.open_day_indexes() n WHERE n.day = i.day AND n.valid AND n.name <> i.name
        AND n.indexed_from <= i.indexed_from AND n.indexed_until >= i.indexed_until)
      OR EXISTS (SELECT FROM pg_index x WHERE x.indisvalid AND x.indexrelid = to_regclass('bmp.' || left(i.name, 20) || '_prefix'))
    ORDER BY i.name LIMIT 1);
  page_bytes CONSTANT bigint := current_setting('block_size');
  default_density CONSTANT real := 75;  -- events per page, until there are statistics
  open_day record;
  first_part record;
  second_part record;
  day_events real;
  earlier text;
  newest timestamptz;
BEGIN
  IF obsolete IS NOT NULL THEN
    RETURN format('DROP INDEX CONCURRENTLY bmp.%I', obsolete);
  END IF;
  SELECT d.day, d.name, pg_relation_size(d.relid) / page_bytes AS pages,
    CASE WHEN c.relpages > 0 AND c.reltuples > 0 THEN c.reltuples / c.relpages ELSE default_density END AS density INTO open_day
  FROM bmp.unclosed_days() d JOIN pg_class c ON c.oid = d.relid
  WHERE pg_relation_size(d.relid) > 0 ORDER BY d.day DESC LIMIT 1;
  day_events := open_day.pages * open_day.density;
  SELECT coalesce(max(i.events), 0) AS events, max(i.indexed_until) AS until INTO first_part
  FROM bmp.open_day_indexes() i WHERE i.day = open_day.day AND i.indexed_from = '-infinity';
  SELECT coalesce(max(i.events), 0) AS events, max(i.indexed_until) AS until INTO second_part
  FROM bmp.open_day_indexes() i WHERE i.day = open_day.day AND i.indexed_from = first_part.until;
  IF index_after IS NULL OR open_day.day IS NULL OR to_regclass('bmp.' || open_day.name || '_prefix') IS NOT NULL
    OR day_events - first_part.events - second_part.events < greatest(index_after, (first_part.events + second_part.events) / 50) THEN
    RETURN NULL;
  END IF;
  SELECT bmp.index_statement(d.name) INTO earlier FROM bmp.unclosed_days() d
  WHERE d.day < open_day.day AND pg_relation_size(d.relid) > 0 AND bmp.index_statement(d.name) IS NOT NULL ORDER BY d.day DESC LIMIT 1;
  IF earlier IS NOT NULL THEN
    RETURN earlier;
  END IF;
  -- Not now(), because a writer that is behind would have to insert into the index what it has not stored yet
  EXECUTE format('SELECT date_trunc(''second'', max(received_at)) FROM bmp.%I WHERE ctid >= %L', open_day.name,
    format('(%s,0)', greatest(open_day.pages - 64, 0))) INTO newest;
  IF newest IS NULL OR newest <= coalesce(second_part.until, first_part.until) THEN
    RETURN NULL;
  ELSIF day_events - first_part.events > first_part.events / 5 THEN
    RETURN format('CREATE INDEX CONCURRENTLY %I ON bmp.%I (prefix) WHERE received_at <= %L',
      open_day.name || '_until_' || to_char(newest AT TIME ZONE 'UTC', 'HH24MISS'), open_day.name, newest);
  END IF;
  RETURN format('CREATE INDEX CONCURRENTLY %I ON bmp.%I (prefix) WHERE received_at > %L AND received_at <= %L',
    open_day.name || '_from_' || to_char(first_part.until AT TIME ZONE 'UTC', 'HH24MISS')
      || '_until_' || to_char(newest AT TIME ZONE 'UTC', 'HH24MISS'), open_day.name, first_part.until, newest);
END $$;
COMMENT ON FUNCTION bmp.open_day_statement IS 'Internal: the next statement for the indexes of the newest day that is not over; null if there is nothing to do';

-- Snapshots -----------------------------------------------------------------------------------------------------------

CREATE OR REPLACE FUNCTION bmp.invalidate_snapshots() RETURNS void LANGUAGE sql AS $$
  WITH expired AS (
    DELETE FROM bmp.history_late WHERE recorded_at < now() - interval '10 minutes')
  DELETE FROM bmp.snapshot b
  WHERE b.snapshot_at > (SELECT bmp.day_start(min(day)) FROM bmp.history_late) AND NOT b.history_purged
$$;
COMMENT ON FUNCTION bmp.invalidate_snapshots IS 'Internal: deletes the snapshots that lack late events, so that they are taken again. Records of late events are kept for ten minutes, so that this does not begin while more events arrive';

CREATE OR REPLACE FUNCTION bmp.take_snapshot(in_snapshot_at timestamptz) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  name text := 'route_snapshot_' || to_char(in_snapshot_at AT TIME ZONE 'UTC', 'YYYYMMDD');
  found bigint;
BEGIN
  EXECUTE format('CREATE TABLE bmp.%I (LIKE bmp.route_snapshot INCLUDING DEFAULTS)', name);
  EXECUTE format('INSERT INTO bmp.%I SELECT $1, t.received_at, t.router_time, t.session_id, t.sequence, t.path_id, t.rd,
      t.peer_id, t.family, t.rib_view, t.attribute_hash, t.prefix, t.nlri, t.labels, t.nlri_as_text, t.path_status, t.path_reason
    FROM bmp.last_events($1 - interval ''1 microsecond'', NULL, NULL, NULL) t WHERE t.action = 1 ORDER BY t.peer_id', name)
  USING in_snapshot_at;
  GET DIAGNOSTICS found = ROW_COUNT;
  EXECUTE format('CREATE INDEX ON bmp.%I (prefix)', name);
  EXECUTE format('CREATE INDEX ON bmp.%I USING brin (peer_id)', name);
  EXECUTE format('ANALYZE bmp.%I', name);
  EXECUTE format('ALTER TABLE bmp.route_snapshot ATTACH PARTITION bmp.%I FOR VALUES IN (%L)', name, in_snapshot_at);
  INSERT INTO bmp.snapshot (snapshot_at, created_at, routes) VALUES (in_snapshot_at, now(), found);
  RETURN found;
END $$;
COMMENT ON FUNCTION bmp.take_snapshot IS 'Internal: takes a snapshot: all routes at the end of a closed day. Returns how many there are';

CREATE OR REPLACE FUNCTION bmp.set_history_horizon(in_snapshot_at timestamptz) RETURNS void LANGUAGE sql AS $$
  UPDATE bmp.snapshot SET history_purged = true WHERE snapshot_at = in_snapshot_at;
  DELETE FROM bmp.snapshot WHERE snapshot_at < in_snapshot_at;
  DELETE FROM bmp.history_day WHERE bmp.day_start(day) < in_snapshot_at;
  DELETE FROM bmp.history_late WHERE bmp.day_start(day) < in_snapshot_at;
$$;
COMMENT ON FUNCTION bmp.set_history_horizon IS 'Internal: makes the history begin at a snapshot. Everything before it is removed step by step';

-- Purging -------------------------------------------------------------------------------------------------------------

CREATE OR REPLACE FUNCTION bmp.purge_batch(name text, retention interval) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  pages CONSTANT bigint := 2048;
  first_page bigint;
  pages_total bigint;
  deleted bigint;
BEGIN
  INSERT INTO bmp.maintenance_pass AS u (name) VALUES (purge_batch.name)
  ON CONFLICT ON CONSTRAINT maintenance_pass_pkey DO UPDATE SET finished_at = NULL
  RETURNING u.position INTO first_page;
  pages_total := pg_relation_size(format('bmp.%I', name)) / current_setting('block_size')::bigint;
  EXECUTE format('DELETE FROM bmp.%I WHERE ctid >= $1 AND ctid < $2 AND %I < $3', name,
      CASE name WHEN 'alert' THEN 'closed_at' WHEN 'table_synchronization' THEN 'synchronized_until' ELSE 'received_at' END)
    || CASE name WHEN 'peer_event' THEN ' AND (router_id, session_id, sequence, event) NOT IN (
      SELECT DISTINCT ON (v.router_id) v.router_id, v.session_id, v.sequence, v.event FROM bmp.peer_event v
      WHERE v.event IN (''session-up'', ''session-down'') AND v.received_at < $3
      ORDER BY v.router_id, v.session_id DESC, v.sequence DESC)' ELSE '' END
  USING format('(%s,0)', first_page)::tid, format('(%s,0)', first_page + pages)::tid, now() - retention;
  GET DIAGNOSTICS deleted = ROW_COUNT;
  UPDATE bmp.maintenance_pass u SET position = CASE WHEN first_page + pages < pages_total THEN first_page + pages ELSE 0 END,
    finished_at = CASE WHEN first_page + pages < pages_total THEN NULL ELSE now() END
  WHERE u.name = purge_batch.name;
  RETURN deleted;
END $$;
COMMENT ON FUNCTION bmp.purge_batch IS 'Internal: one batch of a pass over a table without partitions: deletes the rows of 2,048 pages that are older than the retention, of alerts those that were closed before, of table_synchronization those that ended before, and returns how many there were. The last session event of each router before that time is kept, because it determines whether the router was connected afterwards';

-- Deletes up to 1,000 peers that ended before a time and have no routes, with what the state records about their
-- tables, and returns how many there were. A peer ends with its Peer Down, or with the session in which it was up.
-- Events of the history refer to peers, so the history must not reach back to that time. Writers look peers up again
-- every day.
CREATE OR REPLACE FUNCTION bmp.purge_peers(ended_before timestamptz) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  ids integer[];
BEGIN
  SELECT array_agg(peer_id) INTO ids FROM (
    SELECT p.peer_id FROM bmp.peer p JOIN bmp.router r USING (router_id)
    WHERE NOT EXISTS (SELECT FROM bmp.peer_state s WHERE s.peer_id = p.peer_id
        AND (s.up AND r.connected AND r.session_id = s.session_id
          OR coalesce(greatest(s.up_at, s.down_at, CASE WHEN s.up THEN coalesce(r.disconnected_at, r.connected_at) END), 'infinity')
            >= ended_before))
      AND (EXISTS (SELECT FROM bmp.peer_state s WHERE s.peer_id = p.peer_id)
        OR NOT r.connected AND r.disconnected_at < ended_before)
      AND NOT EXISTS (SELECT FROM bmp.rib_route t
        WHERE (t.peer_id::bigint << 3 | t.rib_view) BETWEEN p.peer_id::bigint << 3 AND p.peer_id::bigint << 3 | 7)
      AND NOT EXISTS (SELECT FROM bmp.rib_ended e WHERE e.peer_id = p.peer_id)
    ORDER BY p.peer_id LIMIT 1000 FOR UPDATE OF p SKIP LOCKED) gone;
  DELETE FROM bmp.peer_state WHERE peer_id = ANY (ids);
  DELETE FROM bmp.rib_table WHERE peer_id = ANY (ids);
  DELETE FROM bmp.rib_sync WHERE peer_id = ANY (ids);
  DELETE FROM bmp.rib_end_of_rib WHERE peer_id = ANY (ids);
  DELETE FROM bmp.table_synchronization WHERE peer_id = ANY (ids);
  DELETE FROM bmp.rib_resync WHERE peer_id = ANY (ids);
  DELETE FROM bmp.rib_confirmed WHERE peer_id = ANY (ids);
  DELETE FROM bmp.reconcile_difference WHERE peer_id = ANY (ids);
  DELETE FROM bmp.peer WHERE peer_id = ANY (ids);
  IF coalesce(cardinality(ids), 0) < 1000 THEN
    INSERT INTO bmp.maintenance_pass AS u (name, finished_at) VALUES ('peers', now())
    ON CONFLICT (name) DO UPDATE SET finished_at = excluded.finished_at;
  END IF;
  RETURN coalesce(cardinality(ids), 0);
END $$;
COMMENT ON FUNCTION bmp.purge_peers IS 'Internal: deletes up to 1,000 peers that ended before a time and have no routes, and returns how many there were';

-- Deletes up to 1,000 routers without peers whose last session ended before a time, and returns how many there were.
-- Their last session event, which purge_batch keeps, goes with them.
CREATE OR REPLACE FUNCTION bmp.purge_routers(ended_before timestamptz) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  ids integer[];
BEGIN
  SELECT array_agg(router_id) INTO ids FROM (
    SELECT r.router_id FROM bmp.router r
    WHERE NOT r.connected AND r.disconnected_at < ended_before
      AND NOT EXISTS (SELECT FROM bmp.peer p WHERE p.router_id = r.router_id)
    ORDER BY r.router_id LIMIT 1000 FOR UPDATE OF r SKIP LOCKED) gone;
  DELETE FROM bmp.live_session WHERE router_id = ANY (ids);
  DELETE FROM bmp.history_session WHERE router_id = ANY (ids);
  DELETE FROM bmp.open_session WHERE router_id = ANY (ids);
  DELETE FROM bmp.peer_event WHERE router_id = ANY (ids) AND event IN ('session-up', 'session-down');
  DELETE FROM bmp.router WHERE router_id = ANY (ids);
  IF coalesce(cardinality(ids), 0) < 1000 THEN
    INSERT INTO bmp.maintenance_pass AS u (name, finished_at) VALUES ('routers', now())
    ON CONFLICT (name) DO UPDATE SET finished_at = excluded.finished_at;
  END IF;
  RETURN coalesce(cardinality(ids), 0);
END $$;
COMMENT ON FUNCTION bmp.purge_routers IS 'Internal: deletes up to 1,000 routers without peers whose last session ended before a time, and returns how many there were';

-- Attribute sets that no writer can have in its cache and that nothing refers to are removed. A writer that inserts a
-- set that is about to be removed meets the DELETE at the row: if it comes first, the set is no longer old; if it comes
-- second, it inserts the set again.

CREATE OR REPLACE FUNCTION bmp.unused_before() RETURNS date LANGUAGE plpgsql STABLE AS $$
DECLARE
  horizon timestamptz := (SELECT min(snapshot_at) FROM bmp.snapshot WHERE history_purged);
BEGIN
  IF NOT bmp.is_hypertable() THEN
    RETURN (SELECT least(min(day), (now() AT TIME ZONE 'UTC')::date) - 2 FROM bmp.history_partitions());
  ELSIF horizon IS NULL THEN
    RETURN '-infinity';
  END IF;
  RETURN (SELECT (coalesce(min(received_at), horizon) AT TIME ZONE 'UTC')::date - 2 FROM bmp.route_event WHERE received_at < horizon);
END $$;
COMMENT ON FUNCTION bmp.unused_before IS 'Internal: the history does not refer to sets last used before this date: two days before its oldest event. The history of a hypertable begins at a snapshot; chunks before it that are not dropped yet count too, and nothing is old before the first chunk is dropped';

CREATE OR REPLACE FUNCTION bmp.find_unused_attribute_sets() RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  found bigint;
BEGIN
  TRUNCATE bmp.unused_attribute_set;
  INSERT INTO bmp.unused_attribute_set
  SELECT a.attribute_hash FROM bmp.attribute_set a WHERE a.last_used < (SELECT bmp.unused_before())
    AND NOT EXISTS (SELECT FROM bmp.rib_route t WHERE t.attribute_hash = a.attribute_hash)
    AND NOT EXISTS (SELECT FROM bmp.route_snapshot b WHERE b.attribute_hash = a.attribute_hash);
  GET DIAGNOSTICS found = ROW_COUNT;
  INSERT INTO bmp.maintenance_pass AS u (name, finished_at) VALUES ('attribute-sets', now())
  ON CONFLICT (name) DO UPDATE SET finished_at = excluded.finished_at;
  RETURN found;
END $$;
COMMENT ON FUNCTION bmp.find_unused_attribute_sets IS 'Internal: collects the attribute sets that nothing refers to and returns their number';

CREATE OR REPLACE FUNCTION bmp.purge_unused_attribute_sets() RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  deleted bigint;
BEGIN
  WITH batch AS (
    DELETE FROM bmp.unused_attribute_set WHERE attribute_hash IN (SELECT attribute_hash FROM bmp.unused_attribute_set ORDER BY attribute_hash LIMIT 10000) RETURNING attribute_hash)
  DELETE FROM bmp.attribute_set WHERE attribute_hash IN (  -- does not wait for sets that a writer has locked
    SELECT a.attribute_hash FROM bmp.attribute_set a JOIN batch USING (attribute_hash) WHERE a.last_used < (SELECT bmp.unused_before()) FOR UPDATE OF a SKIP LOCKED);
  GET DIAGNOSTICS deleted = ROW_COUNT;
  RETURN deleted;
END $$;
COMMENT ON FUNCTION bmp.purge_unused_attribute_sets IS 'Internal: deletes a batch of the attribute sets that were found to be unused and returns their number';

-- Steps ---------------------------------------------------------------------------------------------------------------

CREATE OR REPLACE FUNCTION bmp.next_hypertable_step(every interval, close_after interval, horizon timestamptz)
RETURNS TABLE (step text, statement text) LANGUAGE plpgsql STABLE AS $$
DECLARE
  midnight timestamptz := bmp.day_start(((now() - close_after) AT TIME ZONE 'UTC')::date);
  horizon_snapshot timestamptz := (SELECT max(snapshot_at) FROM bmp.snapshot WHERE snapshot_at <= horizon);
BEGIN
  IF NOT EXISTS (SELECT FROM bmp.snapshot WHERE snapshot_at > midnight - every)
    AND EXISTS (SELECT FROM bmp.route_event WHERE received_at < midnight - every) THEN
    RETURN QUERY SELECT 'snapshot', format('SELECT bmp.take_snapshot(%L)', midnight);
  ELSIF EXISTS (SELECT FROM bmp.snapshot m WHERE m.snapshot_at < horizon_snapshot OR m.snapshot_at = horizon_snapshot AND NOT m.history_purged) THEN
    RETURN QUERY SELECT 'history', format('SELECT bmp.set_history_horizon(%L)', horizon_snapshot);
  ELSIF EXISTS (SELECT FROM bmp.route_event WHERE received_at < horizon_snapshot - interval '1 day') THEN
    RETURN QUERY SELECT 'history', format('SELECT drop_chunks(''bmp.route_event''::regclass, older_than => %L::timestamptz)', horizon_snapshot);
  END IF;
END $$;
COMMENT ON FUNCTION bmp.next_hypertable_step IS 'Internal: the steps of a hypertable: a snapshot at the last midnight if the newest one is old, then dropping the chunks before the horizon';

DROP FUNCTION IF EXISTS bmp.next_maintenance_step(text[], interval, interval, interval, interval, interval, interval, interval);
DROP FUNCTION IF EXISTS bmp.next_maintenance_step(text[], interval, interval, interval, interval, interval, interval, interval, interval);
CREATE OR REPLACE FUNCTION bmp.next_maintenance_step(in_skipped text[], history interval, snapshot_every interval, close_after interval,
  statistics interval, peer_events interval, mirror interval, quarantine interval, alerts interval, index_after bigint)
RETURNS TABLE (step text, statement text) LANGUAGE plpgsql STABLE AS $$
DECLARE
  today date := (now() AT TIME ZONE 'UTC')::date;
  horizon timestamptz := bmp.day_start(((now() - history) AT TIME ZONE 'UTC')::date);
  part record;
  due timestamptz;
  horizon_snapshot timestamptz;
  every interval := CASE WHEN history IS NULL THEN snapshot_every  -- greatest() ignores null
    ELSE least(snapshot_every, greatest(history / 4, interval '1 day')) END;
BEGIN
  IF bmp.is_hypertable() THEN
    RETURN QUERY SELECT h.step, h.statement FROM bmp.next_hypertable_step(every, close_after, horizon) h
    WHERE h.step <> ALL (in_skipped);
    IF FOUND THEN
      RETURN;
    END IF;
  ELSIF 'partitions' <> ALL (in_skipped) AND (SELECT count(*) FROM generate_series(0, 3) n
      WHERE to_regclass('bmp.route_event_' || to_char(today + n, 'YYYYMMDD')) IS NOT NULL) < 4 THEN
    RETURN QUERY SELECT 'partitions', 'SELECT bmp.ensure_partitions(now(), now() + interval ''3 days'')';
    RETURN;
  END IF;

  IF 'close' <> ALL (in_skipped) THEN
    SELECT p.* INTO part FROM bmp.unclosed_days() p WHERE bmp.day_start(p.day + 1) + close_after < now() ORDER BY p.day DESC LIMIT 1;
    IF FOUND THEN
      RETURN QUERY SELECT 'close', CASE
        WHEN NOT EXISTS (SELECT FROM pg_trigger t WHERE t.tgrelid = part.relid AND t.tgname = 'late')
          THEN format('SELECT bmp.track_late_events(%L)', part.day)
        ELSE coalesce(bmp.index_statement(part.name), format('SELECT bmp.close_day(%L)', part.day)) END;
      RETURN;
    END IF;
  END IF;

  IF 'index' <> ALL (in_skipped) THEN
    RETURN QUERY SELECT 'index', i FROM bmp.open_day_statement(index_after) i WHERE i IS NOT NULL;
    IF FOUND THEN
      RETURN;
    END IF;
  END IF;

  IF 'late' <> ALL (in_skipped) AND EXISTS (SELECT FROM bmp.history_late l WHERE l.recorded_at < now() - interval '10 minutes'
      OR EXISTS (SELECT FROM bmp.snapshot b WHERE b.snapshot_at > bmp.day_start(l.day) AND NOT b.history_purged)) THEN
    RETURN QUERY SELECT 'late', 'SELECT bmp.invalidate_snapshots()';
    RETURN;
  END IF;

  -- Tables of snapshots that were deleted
  IF 'snapshot' <> ALL (in_skipped) THEN
    SELECT p.* INTO part FROM bmp.snapshot_partitions() p
    WHERE NOT EXISTS (SELECT FROM bmp.snapshot m WHERE m.snapshot_at = p.snapshot_at) ORDER BY p.snapshot_at LIMIT 1;
    IF FOUND THEN
      RETURN QUERY SELECT 'snapshot', CASE part.state
        WHEN 'attached' THEN format('ALTER TABLE bmp.route_snapshot DETACH PARTITION bmp.%I CONCURRENTLY', part.name)
        WHEN 'detaching' THEN format('ALTER TABLE bmp.route_snapshot DETACH PARTITION bmp.%I FINALIZE', part.name)
        ELSE format('DROP TABLE bmp.%I', part.name) END;
      RETURN;
    END IF;
    due := bmp.snapshot_due(every, horizon);
    IF due IS NOT NULL THEN
      RETURN QUERY SELECT 'snapshot', format('SELECT bmp.take_snapshot(%L)', due);
      RETURN;
    END IF;
  END IF;

  IF 'history' <> ALL (in_skipped) AND history IS NOT NULL THEN
    SELECT max(m.snapshot_at) INTO horizon_snapshot FROM bmp.snapshot m WHERE m.snapshot_at <= horizon;
    IF EXISTS (SELECT FROM bmp.snapshot m WHERE m.snapshot_at < horizon_snapshot OR m.snapshot_at = horizon_snapshot AND NOT m.history_purged) THEN
      RETURN QUERY SELECT 'history', format('SELECT bmp.set_history_horizon(%L)', horizon_snapshot);
      RETURN;
    END IF;
    SELECT p.* INTO part FROM bmp.history_partitions() p WHERE bmp.day_start(p.day + 1) <= horizon_snapshot OR p.state <> 'attached'
    ORDER BY p.day LIMIT 1;
    IF FOUND THEN
      RETURN QUERY SELECT 'history', CASE part.state
        WHEN 'attached' THEN format('ALTER TABLE bmp.route_event DETACH PARTITION bmp.%I CONCURRENTLY', part.name)
        WHEN 'detaching' THEN format('ALTER TABLE bmp.route_event DETACH PARTITION bmp.%I FINALIZE', part.name)
        ELSE format('DROP TABLE bmp.%I', part.name) END;
      RETURN;
    END IF;
  END IF;

  RETURN QUERY
  SELECT t.name, format('SELECT bmp.purge_batch(%L, %L)', t.name, t.retention)
  FROM (VALUES ('statistic', statistics), ('peer_event', peer_events), ('mirrored_message', mirror),
      ('quarantine', quarantine), ('alert', alerts),
      ('table_synchronization', history + every + interval '2 days')) t (name, retention)
    LEFT JOIN bmp.maintenance_pass u ON u.name = t.name
  WHERE t.retention IS NOT NULL AND t.name <> ALL (in_skipped) AND (u.finished_at IS NULL OR u.finished_at < now() - interval '6 hours')
  LIMIT 1;
  IF FOUND THEN
    RETURN;
  END IF;

  -- Peers, if the history is not kept for ever, and routers, if nothing is.
  RETURN QUERY
  SELECT t.name, format('SELECT bmp.purge_%s(%L)', t.name, now() - t.retention)
  FROM (VALUES ('peers', CASE WHEN history IS NOT NULL THEN history + every + interval '2 days' END),
      ('routers', CASE WHEN num_nulls(history, statistics, peer_events, mirror, quarantine) = 0
        THEN greatest(history + every + interval '2 days', statistics, peer_events, mirror, quarantine) END)) t (name, retention)
    LEFT JOIN bmp.maintenance_pass u ON u.name = t.name
  WHERE t.retention IS NOT NULL AND t.name <> ALL (in_skipped) AND (u.finished_at IS NULL OR u.finished_at < now() - interval '1 day')
  LIMIT 1;
  IF FOUND THEN
    RETURN;
  END IF;

  IF 'attribute-sets' <> ALL (in_skipped) THEN
    IF EXISTS (SELECT FROM bmp.unused_attribute_set) THEN
      RETURN QUERY SELECT 'attribute-sets', 'SELECT bmp.purge_unused_attribute_sets()';
    ELSIF NOT EXISTS (SELECT FROM bmp.maintenance_pass u WHERE u.name = 'attribute-sets' AND u.finished_at > now() - interval '1 day') THEN
      RETURN QUERY SELECT 'attribute-sets', 'SELECT bmp.find_unused_attribute_sets()';
    END IF;
  END IF;
END $$;
COMMENT ON FUNCTION bmp.next_maintenance_step IS 'Internal: the next thing to do, or no row. A retention of null keeps rows for ever, and an index_after of null leaves the open day without an index. in_skipped contains the steps that have just failed';

CREATE OR REPLACE FUNCTION bmp.snapshot_due(every interval, horizon timestamptz) RETURNS timestamptz LANGUAGE plpgsql STABLE AS $$
DECLARE
  newest timestamptz := (SELECT bmp.day_start(max(day) + 1) FROM bmp.history_day);
  oldest timestamptz := (SELECT bmp.day_start(min(p.day)) FROM bmp.history_partitions() p WHERE p.state = 'attached');
  last record;
BEGIN
  IF newest IS NULL OR EXISTS (SELECT FROM bmp.history_late WHERE recorded_at > now() - interval '10 minutes')
    OR EXISTS (SELECT FROM bmp.history_partitions() p WHERE p.state = 'attached' AND bmp.day_start(p.day) < newest
      AND bmp.day_start(p.day) >= coalesce((SELECT min(m.snapshot_at) FROM bmp.snapshot m WHERE m.history_purged), '-infinity')
      AND NOT EXISTS (SELECT FROM bmp.history_day d WHERE d.day = p.day)) THEN
    RETURN NULL;  -- not all earlier days are closed
  END IF;
  IF oldest + every <= horizon AND horizon <= newest
    AND NOT EXISTS (SELECT FROM bmp.snapshot WHERE snapshot_at > horizon - every AND snapshot_at <= horizon) THEN
    RETURN horizon;
  END IF;
  SELECT * INTO last FROM bmp.snapshot ORDER BY snapshot_at DESC LIMIT 1;
  IF last.snapshot_at IS NULL THEN
    last.snapshot_at := oldest;
    last.routes := 0;
  END IF;
  IF newest > last.snapshot_at AND (newest >= last.snapshot_at + every OR (SELECT sum(events) FROM bmp.history_day WHERE bmp.day_start(day) >= last.snapshot_at)
      > 5 * greatest(last.routes, 100000)) THEN
    RETURN newest;
  END IF;
  RETURN NULL;
END $$;
COMMENT ON FUNCTION bmp.snapshot_due IS 'Internal: the time of which a snapshot is due, or null. A snapshot is taken at the end of the newest closed day if the last one is old, or if so many events have been stored since that reading them takes several times as long as reading all routes; and at the horizon if the history before it could be removed and no snapshot is near';
