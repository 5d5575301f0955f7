-- Upkeep: docs/sql.md, ADR 14. next_upkeep_step() looks at how things are and says the next thing to do, as a statement to be
-- executed by itself outside a transaction, because some can't run in one. Whatever is interrupted is found again. Only one
-- station does this at a time (an advisory lock). No step stops those who write: they take locks that COPY doesn't mind, or
-- wait for one for a moment only.

CREATE OR REPLACE FUNCTION bmp.day_start(day date) RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT day::timestamp AT TIME ZONE 'UTC' $$;

-- The partitions of the history: attached, half detached (by an interrupted step), detached.
CREATE OR REPLACE FUNCTION bmp.history_partitions() RETURNS TABLE (day date, name text, state text, relid oid) LANGUAGE sql STABLE AS $$
  SELECT to_date(right(c.relname, 8), 'YYYYMMDD'), c.relname::text,
    CASE WHEN i.inhrelid IS NULL THEN 'detached' WHEN i.inhdetachpending THEN 'detaching' ELSE 'attached' END, c.oid
  FROM pg_class c LEFT JOIN pg_inherits i ON i.inhrelid = c.oid AND i.inhparent = 'bmp.route_event'::regclass
  WHERE c.relnamespace = 'bmp'::regnamespace AND c.relkind = 'r' AND c.relname ~ '^route_event_[0-9]{8}$'
$$;

CREATE OR REPLACE FUNCTION bmp.base_partitions() RETURNS TABLE (at timestamptz, name text, state text) LANGUAGE sql STABLE AS $$
  SELECT bmp.day_start(to_date(right(c.relname, 8), 'YYYYMMDD')), c.relname::text,
    CASE WHEN i.inhrelid IS NULL THEN 'detached' WHEN i.inhdetachpending THEN 'detaching' ELSE 'attached' END
  FROM pg_class c LEFT JOIN pg_inherits i ON i.inhrelid = c.oid AND i.inhparent = 'bmp.route_base'::regclass
  WHERE c.relnamespace = 'bmp'::regnamespace AND c.relkind = 'r' AND c.relname ~ '^route_base_[0-9]{8}$'
$$;

-- Whether the history is a hypertable of TimescaleDB instead: then days are its chunks, and are not closed.
CREATE OR REPLACE FUNCTION bmp.is_hypertable() RETURNS boolean LANGUAGE sql STABLE AS
$$ SELECT relkind <> 'p' FROM pg_class WHERE oid = to_regclass('bmp.route_event') $$;

-- Puts a hypertable in the place of the history while that is empty. Compressed chunks are sorted as one asks: by peer and
-- view, then by prefix. Not tried with TimescaleDB itself: ADR 14.
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
  EXECUTE 'CREATE OR REPLACE VIEW bmp.v_route_history AS '
    || replace(pg_get_viewdef('bmp.v_route_history'::regclass), 'route_event_plain', 'route_event');
  DROP TABLE bmp.route_event_plain;
  ALTER TABLE bmp.route_event SET (timescaledb.compress, timescaledb.compress_segmentby = 'peer_id, rib_view',
    timescaledb.compress_orderby = 'prefix, received_at');
  PERFORM add_compression_policy('bmp.route_event'::regclass, interval '2 days');
END $$;

-- As V1 has it, and nothing to do for a hypertable.
CREATE OR REPLACE FUNCTION bmp.ensure_partitions(from_time timestamptz, to_time timestamptz) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  day date := (from_time AT TIME ZONE 'UTC')::date;
  last_day date := (to_time AT TIME ZONE 'UTC')::date;
  name text;
  made integer := 0;
BEGIN
  IF day < '2000-01-01' OR last_day > '2199-12-31' OR last_day - day > 400 THEN
    RAISE invalid_parameter_value USING MESSAGE = format('no partitions from %s to %s', from_time, to_time);
  END IF;
  IF bmp.is_hypertable() THEN
    RETURN 0;
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

-- Trigger of closed days. A transaction notes a day once; the notes have no key, so that writers don't wait for each other.
CREATE OR REPLACE FUNCTION bmp.note_late() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF coalesce(current_setting('silkroute.late_day', true), '') <> TG_ARGV[0] THEN
    INSERT INTO bmp.history_late (day, noted_at) VALUES (TG_ARGV[0]::date, clock_timestamp());
    PERFORM set_config('silkroute.late_day', TG_ARGV[0], true);
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION bmp.watch_day(day date) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  SET LOCAL lock_timeout = '500ms';  -- somebody who writes to it just now is in the way, and later ones would queue behind us
  EXECUTE format('CREATE TRIGGER late AFTER INSERT OR DELETE ON bmp.%I FOR EACH ROW EXECUTE FUNCTION bmp.note_late(%L)',
    'route_event_' || to_char(day, 'YYYYMMDD'), day);
END $$;

-- The last step of a day: its statistics, and its number of events from them. Bases are made when all days before them are closed, so one
-- behind this day is of when nobody had the day yet, and doesn't know of its events.
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
  IF filled AND EXISTS (SELECT FROM bmp.route_base_made WHERE at > bmp.day_start(close_day.day)) THEN
    INSERT INTO bmp.history_late (day, noted_at) VALUES (close_day.day, clock_timestamp());
  END IF;
END $$;

-- Bases that don't know of what came late no longer count, and are made again. Notes are kept for a while so that this
-- isn't begun while more is coming.
CREATE OR REPLACE FUNCTION bmp.heed_late() RETURNS void LANGUAGE sql AS $$
  WITH settled AS (
    DELETE FROM bmp.history_late WHERE noted_at < now() - interval '10 minutes')
  DELETE FROM bmp.route_base_made b
  WHERE b.at > (SELECT bmp.day_start(min(day)) FROM bmp.history_late) AND NOT b.history_gone
$$;

-- All routes as they were at the end of a closed day.
CREATE OR REPLACE FUNCTION bmp.make_base(base timestamptz) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  name text := 'route_base_' || to_char(base AT TIME ZONE 'UTC', 'YYYYMMDD');
  found bigint;
BEGIN
  EXECUTE format('CREATE TABLE bmp.%I (LIKE bmp.route_base INCLUDING DEFAULTS)', name);
  EXECUTE format('INSERT INTO bmp.%I SELECT $1, t.received_at, t.router_time, t.session_id, t.sequence, t.path_id, t.rd,
      t.peer_id, t.family, t.rib_view, t.attr, t.prefix, t.nlri, t.labels, t.nlri_as_text, t.path_status, t.path_reason
    FROM bmp.last_events($1 - interval ''1 microsecond'', NULL, NULL, NULL) t WHERE t.action = 1 ORDER BY t.peer_id', name)
  USING base;
  GET DIAGNOSTICS found = ROW_COUNT;
  EXECUTE format('CREATE INDEX ON bmp.%I (prefix)', name);
  EXECUTE format('CREATE INDEX ON bmp.%I USING brin (peer_id)', name);
  EXECUTE format('ANALYZE bmp.%I', name);
  EXECUTE format('ALTER TABLE bmp.route_base ATTACH PARTITION bmp.%I FOR VALUES IN (%L)', name, base);
  INSERT INTO bmp.route_base_made (at, made_at, routes) VALUES (base, now(), found);
  RETURN found;
END $$;

-- From now on the history begins at this base; what is before it is taken away step by step.
CREATE OR REPLACE FUNCTION bmp.begin_history(base timestamptz) RETURNS void LANGUAGE sql AS $$
  UPDATE bmp.route_base_made SET history_gone = true WHERE at = base;
  DELETE FROM bmp.route_base_made WHERE at < base;
  DELETE FROM bmp.history_day WHERE bmp.day_start(day) < base;
  DELETE FROM bmp.history_late WHERE bmp.day_start(day) < base;
$$;

-- One slice of a pass over a table without partitions: what is older than kept goes. Returns how many rows. Of each router stays what was its
-- last session event then: whether it was connected is asked of the time since, too.
CREATE OR REPLACE FUNCTION bmp.forget_slice(name text, kept interval) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  pages CONSTANT bigint := 2048;
  first bigint;
  past bigint;
  gone bigint;
BEGIN
  INSERT INTO bmp.upkeep_pass AS u (name) VALUES (forget_slice.name)
  ON CONFLICT ON CONSTRAINT upkeep_pass_pkey DO UPDATE SET finished_at = NULL
  RETURNING u.position INTO first;
  past := pg_relation_size(format('bmp.%I', name)) / current_setting('block_size')::bigint;
  EXECUTE format('DELETE FROM bmp.%I WHERE ctid >= $1 AND ctid < $2 AND received_at < $3', name)
    || CASE name WHEN 'peer_event' THEN ' AND (session_id, sequence, event) NOT IN (
      SELECT DISTINCT ON (v.router_id) v.session_id, v.sequence, v.event FROM bmp.peer_event v
      WHERE v.event IN (''session-up'', ''session-down'') AND v.received_at < $3
      ORDER BY v.router_id, v.session_id DESC, v.sequence DESC)' ELSE '' END
  USING format('(%s,0)', first)::tid, format('(%s,0)', first + pages)::tid, now() - kept;
  GET DIAGNOSTICS gone = ROW_COUNT;
  UPDATE bmp.upkeep_pass u SET position = CASE WHEN first + pages < past THEN first + pages ELSE 0 END,
    finished_at = CASE WHEN first + pages < past THEN NULL ELSE now() END
  WHERE u.name = forget_slice.name;
  RETURN gone;
END $$;

-- Attribute sets that no writer can know of any more and nothing refers to. Who writes one that is gone, or about to be,
-- asks for it by INSERT … ON CONFLICT DO UPDATE, which meets our DELETE at the row: either it comes first and the set
-- is not old any more, or it comes second and makes it anew.
--
-- What is older than this is unused by the history: two days before its oldest. A hypertable begins at a base; what is before that
-- and not dropped yet counts too, and as long as nothing of it went, no set is old.
CREATE OR REPLACE FUNCTION bmp.unused_before() RETURNS date LANGUAGE plpgsql STABLE AS $$
DECLARE
  base timestamptz := (SELECT min(at) FROM bmp.route_base_made WHERE history_gone);
BEGIN
  IF NOT bmp.is_hypertable() THEN
    RETURN (SELECT least(min(day), (now() AT TIME ZONE 'UTC')::date) - 2 FROM bmp.history_partitions());
  ELSIF base IS NULL THEN
    RETURN '-infinity';
  END IF;
  RETURN (SELECT (coalesce(min(received_at), base) AT TIME ZONE 'UTC')::date - 2 FROM bmp.route_event WHERE received_at < base);
END $$;

CREATE OR REPLACE FUNCTION bmp.find_unused_attrs() RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  found bigint;
BEGIN
  TRUNCATE bmp.attrs_unused;
  INSERT INTO bmp.attrs_unused
  SELECT a.h FROM bmp.attrs a WHERE a.last_used < (SELECT bmp.unused_before())
    AND NOT EXISTS (SELECT FROM bmp.rib_route t WHERE t.attr = a.h)
    AND NOT EXISTS (SELECT FROM bmp.route_base b WHERE b.attr = a.h);
  GET DIAGNOSTICS found = ROW_COUNT;
  INSERT INTO bmp.upkeep_pass AS u (name, finished_at) VALUES ('attrs', now())
  ON CONFLICT (name) DO UPDATE SET finished_at = excluded.finished_at;
  RETURN found;
END $$;

CREATE OR REPLACE FUNCTION bmp.forget_unused_attrs() RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  gone bigint;
BEGIN
  WITH slice AS (
    DELETE FROM bmp.attrs_unused WHERE h IN (SELECT h FROM bmp.attrs_unused ORDER BY h LIMIT 10000) RETURNING h)
  DELETE FROM bmp.attrs WHERE h IN (  -- one that a writer is at just now is not waited for
    SELECT a.h FROM bmp.attrs a JOIN slice USING (h) WHERE a.last_used < (SELECT bmp.unused_before()) FOR UPDATE OF a SKIP LOCKED);
  GET DIAGNOSTICS gone = ROW_COUNT;
  RETURN gone;
END $$;

-- The steps of a hypertable: a base at the last midnight when the newest is old, and chunks before the one at the horizon.
CREATE OR REPLACE FUNCTION bmp.next_hypertable_step(every interval, close_after interval, horizon timestamptz)
RETURNS TABLE (step text, statement text) LANGUAGE plpgsql STABLE AS $$
DECLARE
  midnight timestamptz := bmp.day_start(((now() - close_after) AT TIME ZONE 'UTC')::date);
  base timestamptz := (SELECT max(at) FROM bmp.route_base_made WHERE at <= horizon);
BEGIN
  IF NOT EXISTS (SELECT FROM bmp.route_base_made WHERE at > midnight - every)
    AND EXISTS (SELECT FROM bmp.route_event WHERE received_at < midnight - every) THEN
    RETURN QUERY SELECT 'base', format('SELECT bmp.make_base(%L)', midnight);
  ELSIF EXISTS (SELECT FROM bmp.route_base_made m WHERE m.at < base OR m.at = base AND NOT m.history_gone) THEN
    RETURN QUERY SELECT 'history', format('SELECT bmp.begin_history(%L)', base);
  ELSIF EXISTS (SELECT FROM bmp.route_event WHERE received_at < base - interval '1 day') THEN
    RETURN QUERY SELECT 'history', format('SELECT drop_chunks(''bmp.route_event''::regclass, older_than => %L::timestamptz)', base);
  END IF;
END $$;

-- The next thing to do, or no row. A length of time of null keeps for ever; skipped are the steps that failed just now.
CREATE OR REPLACE FUNCTION bmp.next_upkeep_step(skipped text[], history interval, base_every interval, close_after interval,
  statistics interval, peer_events interval, mirror interval, quarantine interval)
RETURNS TABLE (step text, statement text) LANGUAGE plpgsql STABLE AS $$
DECLARE
  today date := (now() AT TIME ZONE 'UTC')::date;
  horizon timestamptz := bmp.day_start(((now() - history) AT TIME ZONE 'UTC')::date);
  part record;
  base timestamptz;
  every interval := CASE WHEN history IS NULL THEN base_every  -- greatest() would ignore the null
    ELSE least(base_every, greatest(history / 4, interval '1 day')) END;
BEGIN
  IF bmp.is_hypertable() THEN
    RETURN QUERY SELECT h.step, h.statement FROM bmp.next_hypertable_step(every, close_after, horizon) h
    WHERE h.step <> ALL (skipped);
    IF FOUND THEN
      RETURN;
    END IF;
  ELSIF 'partitions' <> ALL (skipped) AND (SELECT count(*) FROM generate_series(0, 3) n
      WHERE to_regclass('bmp.route_event_' || to_char(today + n, 'YYYYMMDD')) IS NOT NULL) < 4 THEN
    RETURN QUERY SELECT 'partitions', 'SELECT bmp.ensure_partitions(now(), now() + interval ''3 days'')';
    RETURN;
  END IF;

  IF 'close' <> ALL (skipped) THEN
    SELECT p.*, p.name || '_prefix' AS index INTO part FROM bmp.history_partitions() p
    WHERE p.state = 'attached' AND bmp.day_start(p.day + 1) + close_after < now()
      AND NOT EXISTS (SELECT FROM bmp.history_day d WHERE d.day = p.day)
      AND bmp.day_start(p.day) >= coalesce((SELECT min(m.at) FROM bmp.route_base_made m WHERE m.history_gone), '-infinity')
    ORDER BY p.day DESC LIMIT 1;
    IF FOUND THEN
      RETURN QUERY SELECT 'close', CASE
        WHEN NOT EXISTS (SELECT FROM pg_trigger t WHERE t.tgrelid = part.relid AND t.tgname = 'late')
          THEN format('SELECT bmp.watch_day(%L)', part.day)
        WHEN to_regclass('bmp.' || part.index) IS NULL
          THEN format('CREATE INDEX CONCURRENTLY %I ON bmp.%I (prefix, received_at) WITH (fillfactor = 100)',  -- hardly any come late
            part.index, part.name)
        WHEN NOT (SELECT i.indisvalid FROM pg_index i WHERE i.indexrelid = to_regclass('bmp.' || part.index))
          THEN format('DROP INDEX CONCURRENTLY bmp.%I', part.index)  -- of a build that was interrupted
        ELSE format('SELECT bmp.close_day(%L)', part.day) END;
      RETURN;
    END IF;
  END IF;

  IF 'late' <> ALL (skipped) AND EXISTS (SELECT FROM bmp.history_late l WHERE l.noted_at < now() - interval '10 minutes'
      OR EXISTS (SELECT FROM bmp.route_base_made b WHERE b.at > bmp.day_start(l.day) AND NOT b.history_gone)) THEN
    RETURN QUERY SELECT 'late', 'SELECT bmp.heed_late()';
    RETURN;
  END IF;

  -- Tables of bases that don't count: made again, or before the history's beginning
  IF 'base' <> ALL (skipped) THEN
    SELECT p.* INTO part FROM bmp.base_partitions() p
    WHERE NOT EXISTS (SELECT FROM bmp.route_base_made m WHERE m.at = p.at) ORDER BY p.at LIMIT 1;
    IF FOUND THEN
      RETURN QUERY SELECT 'base', CASE part.state
        WHEN 'attached' THEN format('ALTER TABLE bmp.route_base DETACH PARTITION bmp.%I CONCURRENTLY', part.name)
        WHEN 'detaching' THEN format('ALTER TABLE bmp.route_base DETACH PARTITION bmp.%I FINALIZE', part.name)
        ELSE format('DROP TABLE bmp.%I', part.name) END;
      RETURN;
    END IF;
    base := bmp.base_due(every, horizon);
    IF base IS NOT NULL THEN
      RETURN QUERY SELECT 'base', format('SELECT bmp.make_base(%L)', base);
      RETURN;
    END IF;
  END IF;

  IF 'history' <> ALL (skipped) AND history IS NOT NULL THEN
    SELECT max(m.at) INTO base FROM bmp.route_base_made m WHERE m.at <= horizon;
    IF EXISTS (SELECT FROM bmp.route_base_made m WHERE m.at < base OR m.at = base AND NOT m.history_gone) THEN
      RETURN QUERY SELECT 'history', format('SELECT bmp.begin_history(%L)', base);
      RETURN;
    END IF;
    SELECT p.* INTO part FROM bmp.history_partitions() p WHERE bmp.day_start(p.day + 1) <= base OR p.state <> 'attached'
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
  SELECT t.name, format('SELECT bmp.forget_slice(%L, %L)', t.name, t.kept)
  FROM (VALUES ('statistic', statistics), ('peer_event', peer_events), ('mirrored_message', mirror),
      ('quarantine', quarantine)) t (name, kept)
    LEFT JOIN bmp.upkeep_pass u ON u.name = t.name
  WHERE t.kept IS NOT NULL AND t.name <> ALL (skipped) AND (u.finished_at IS NULL OR u.finished_at < now() - interval '6 hours')
  LIMIT 1;
  IF FOUND THEN
    RETURN;
  END IF;

  IF 'attrs' <> ALL (skipped) THEN
    IF EXISTS (SELECT FROM bmp.attrs_unused) THEN
      RETURN QUERY SELECT 'attrs', 'SELECT bmp.forget_unused_attrs()';
    ELSIF NOT EXISTS (SELECT FROM bmp.upkeep_pass u WHERE u.name = 'attrs' AND u.finished_at > now() - interval '1 day') THEN
      RETURN QUERY SELECT 'attrs', 'SELECT bmp.find_unused_attrs()';
    END IF;
  END IF;
END $$;

-- The time that a base is to be made of now, null: none. At the end of the newest closed day, when the last base is old or
-- so many events have come since that reading them is several times the work of reading all routes; and at the horizon,
-- where the history before it could go and no base is near.
CREATE OR REPLACE FUNCTION bmp.base_due(every interval, horizon timestamptz) RETURNS timestamptz LANGUAGE plpgsql STABLE AS $$
DECLARE
  newest timestamptz := (SELECT bmp.day_start(max(day) + 1) FROM bmp.history_day);
  oldest timestamptz := (SELECT bmp.day_start(min(p.day)) FROM bmp.history_partitions() p WHERE p.state = 'attached');
  last record;
BEGIN
  IF newest IS NULL OR EXISTS (SELECT FROM bmp.history_late WHERE noted_at > now() - interval '10 minutes')
    OR EXISTS (SELECT FROM bmp.history_partitions() p WHERE p.state = 'attached' AND bmp.day_start(p.day) < newest
      AND bmp.day_start(p.day) >= coalesce((SELECT min(m.at) FROM bmp.route_base_made m WHERE m.history_gone), '-infinity')
      AND NOT EXISTS (SELECT FROM bmp.history_day d WHERE d.day = p.day)) THEN
    RETURN NULL;  -- not all days before are closed
  END IF;
  IF oldest + every <= horizon AND horizon <= newest
    AND NOT EXISTS (SELECT FROM bmp.route_base_made WHERE at > horizon - every AND at <= horizon) THEN
    RETURN horizon;
  END IF;
  SELECT * INTO last FROM bmp.route_base_made ORDER BY at DESC LIMIT 1;
  IF last.at IS NULL THEN
    last.at := oldest;
    last.routes := 0;
  END IF;
  IF newest > last.at AND (newest >= last.at + every OR (SELECT sum(events) FROM bmp.history_day WHERE bmp.day_start(day) >= last.at)
      > 5 * greatest(last.routes, 100000)) THEN
    RETURN newest;
  END IF;
  RETURN NULL;
END $$;
