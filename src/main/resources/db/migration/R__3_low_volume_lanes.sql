-- The low-volume lanes. Each apply_… function takes a JSON array of records in their order and returns how many rows
-- are new. Kafka may deliver a record twice: the unique keys of the tables ignore the second one. A record whose values
-- PostgreSQL rejects goes to quarantine and the others are stored, so that no record blocks its lane.
--
-- Parameters that would be ambiguous with columns begin with in_.

CREATE OR REPLACE FUNCTION bmp.ensure_routers(records jsonb) RETURNS void LANGUAGE sql AS $$
  -- NOT EXISTS in addition to ON CONFLICT, because a conflict consumes an id. Sorted, because two lanes may insert at
  -- the same time.
  INSERT INTO bmp.router (name, address)
  SELECT DISTINCT ON (e->>'router') e->>'router', bmp.address(e->>'router_address')
  FROM jsonb_array_elements(records) e
  WHERE e->>'router' IS NOT NULL AND NOT EXISTS (SELECT FROM bmp.router r WHERE r.name = e->>'router')
  ORDER BY e->>'router'
  ON CONFLICT (name) DO NOTHING
$$;
COMMENT ON FUNCTION bmp.ensure_routers IS 'Internal: inserts the routers that are not known yet';

CREATE OR REPLACE FUNCTION bmp.low_volume(records jsonb) RETURNS TABLE (
  ordinal bigint, event text, router_id integer, session_id bigint, sequence bigint, received_at timestamptz,
  router_time timestamptz, peer_type smallint, distinguisher bigint, address inet, asn bigint, bgp_id bigint,
  rib_view smallint, record jsonb)
LANGUAGE sql STABLE ROWS 100 AS $$
  SELECT e.ordinal, record->>'event', r.router_id, (record->>'session_id')::bigint, (record->>'sequence')::bigint,
    (record->>'received_at')::timestamptz, (record->>'router_time')::timestamptz,
    bmp.peer_type_code(record->>'peer_type'), bmp.distinguisher_number(record->>'peer_distinguisher'),
    (record->>'peer_address')::inet, (record->>'peer_asn')::bigint,
    bmp.bgp_id_number((record->>'peer_bgp_id')::inet), bmp.rib_view_code(record->>'rib_view'), record
  FROM jsonb_array_elements(records) WITH ORDINALITY e(record, ordinal) LEFT JOIN bmp.router r ON r.name = record->>'router'
$$;
COMMENT ON FUNCTION bmp.low_volume IS 'Internal: the fields that all low-volume records have, as columns';

CREATE OR REPLACE FUNCTION bmp.quarantine_record(lane text, record jsonb, problem text) RETURNS void LANGUAGE sql AS $$
  INSERT INTO bmp.quarantine (received_at, kafka_record, reason, bytes)
  VALUES (clock_timestamp(), lane || ' ' || md5(record::text), problem, convert_to(record::text, 'UTF8'))
  ON CONFLICT DO NOTHING
$$;
COMMENT ON FUNCTION bmp.quarantine_record IS 'Internal: quarantines a record that could not be stored. Its text is its only reliable identity';

CREATE OR REPLACE FUNCTION bmp.apply_safely(lane text, records jsonb) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  statement text := format('SELECT bmp.%I($1)', 'insert_' || lane);
  record jsonb;
  stored integer;
  total integer := 0;
BEGIN
  BEGIN
    PERFORM bmp.ensure_routers(records);
    EXECUTE statement INTO total USING records;
    RETURN total;
  EXCEPTION WHEN data_exception OR integrity_constraint_violation OR program_limit_exceeded THEN
    total := 0;
  END;
  FOR record IN SELECT jsonb_array_elements(records) LOOP
    BEGIN
      PERFORM bmp.ensure_routers(jsonb_build_array(record));
      EXECUTE statement INTO stored USING jsonb_build_array(record);
      total := total + stored;
    EXCEPTION WHEN data_exception OR integrity_constraint_violation OR program_limit_exceeded THEN
      PERFORM bmp.quarantine_record(lane, record, SQLERRM);
    END;
  END LOOP;
  RETURN total;
END $$;
COMMENT ON FUNCTION bmp.apply_safely IS 'Internal: calls bmp.insert_LANE with all records or, if one of them is rejected, with each record by itself';

-- Peer and session events ---------------------------------------------------------------------------------------------

CREATE OR REPLACE FUNCTION bmp.store_peer_events(records jsonb) RETURNS TABLE (
  ordinal bigint, event text, router_id integer, session_id bigint, sequence bigint, received_at timestamptz,
  peer_type smallint, distinguisher bigint, address inet, asn bigint, bgp_id bigint, rib_view smallint, record jsonb,
  known_session bigint)
LANGUAGE sql ROWS 100 AS $$
  WITH given AS MATERIALIZED (SELECT * FROM bmp.low_volume(records)),
  stored AS (
    INSERT INTO bmp.peer_event (received_at, router_time, session_id, sequence, router_id, event, peer_type,
      distinguisher, address, asn, bgp_id, rib_view, table_name, reason_code, reason, detail)
    SELECT received_at, router_time, session_id, sequence, router_id, event, peer_type, distinguisher, address, asn,
      bgp_id, rib_view, record->>'table_name', (record->>'reason_code')::integer, record->>'reason',
      record - '{event,collector,router,session_id,sequence,received_at,router_time,peer_type,peer_distinguisher,peer_address,peer_asn,peer_bgp_id,rib_view,table_name,reason_code,reason}'::text[]
    FROM given WHERE event IS DISTINCT FROM 'collector-start' ORDER BY ordinal
    ON CONFLICT DO NOTHING
    RETURNING session_id, sequence, router_id, event),
  fresh AS (
    SELECT g.*, row_number() OVER (PARTITION BY session_id, sequence, router_id, event ORDER BY ordinal) AS occurrence
    FROM given g JOIN stored USING (session_id, sequence, router_id, event))
  SELECT f.ordinal, f.event, f.router_id, f.session_id, f.sequence, f.received_at, f.peer_type, f.distinguisher, f.address,
    f.asn, f.bgp_id, f.rib_view, f.record, r.session_id
  FROM fresh f LEFT JOIN bmp.router r ON r.router_id = f.router_id WHERE f.occurrence = 1
  UNION ALL
  SELECT ordinal, event, router_id, session_id, sequence, received_at, peer_type, distinguisher, address, asn, bgp_id,
    rib_view, record, NULL
  FROM given WHERE event = 'collector-start'
  ORDER BY ordinal
$$;
COMMENT ON FUNCTION bmp.store_peer_events IS 'Internal: stores the events that are not stored yet, by one statement, and returns them in their order. Collector starts are returned without being stored. known_session is the router''s newest session before these events';

DROP FUNCTION IF EXISTS bmp.start_collector(text, bigint, timestamptz);
CREATE OR REPLACE FUNCTION bmp.start_collector(in_collector text, in_session bigint, in_received_at timestamptz, in_gone boolean)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO bmp.collector AS c (name, session_id, started_at) VALUES (in_collector, in_session, in_received_at)
  ON CONFLICT (name) DO UPDATE SET session_id = excluded.session_id, started_at = excluded.started_at
  WHERE c.session_id < excluded.session_id;
  IF NOT in_gone THEN
    UPDATE bmp.collector SET alive_at = clock_timestamp(), alive_session_id = in_session WHERE name = in_collector;
  END IF;
  UPDATE bmp.router SET connected = false, disconnected_at = in_received_at
  WHERE collector = in_collector AND session_id < in_session AND connected;
  DELETE FROM bmp.open_session WHERE collector = in_collector AND session_id < in_session;
END $$;
COMMENT ON FUNCTION bmp.start_collector IS 'Internal: records the start of a collector, which it repeats while it runs, or that it is unavailable, and disconnects the routers whose sessions ended with its predecessor, which could not report it';

CREATE OR REPLACE FUNCTION bmp.open_session(in_router_id integer, in_session bigint, in_collector text) RETURNS void LANGUAGE sql AS $$
  INSERT INTO bmp.open_session (session_id, router_id, collector)
  SELECT in_session, in_router_id, in_collector
  WHERE NOT EXISTS (SELECT FROM bmp.collector c WHERE c.name = in_collector AND c.session_id > in_session)
  ON CONFLICT DO NOTHING
$$;
COMMENT ON FUNCTION bmp.open_session IS 'Internal: records that a session is open, unless its collector has restarted since';

CREATE OR REPLACE FUNCTION bmp.advance_session(in_router_id integer, in_session bigint, in_received_at timestamptz, in_record jsonb)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE bmp.router SET session_id = in_session, connected_at = in_received_at, collector = in_record->>'collector',
    connected = NOT EXISTS (
      SELECT FROM bmp.collector c WHERE c.name = in_record->>'collector' AND c.session_id > in_session),
    disconnected_at = NULL, address = coalesce(bmp.address(in_record->>'router_address'), router.address),
    name_source = in_record->>'name_source'
  WHERE router_id = in_router_id AND (session_id IS NULL OR session_id < in_session);
  PERFORM bmp.open_session(in_router_id, in_session, in_record->>'collector');
END $$;
COMMENT ON FUNCTION bmp.advance_session IS 'Internal: makes a session its router''s newest one, connected unless its collector has restarted since';

CREATE OR REPLACE FUNCTION bmp.insert_peer_events(records jsonb) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  e record;
  total integer := 0;
BEGIN
  FOR e IN SELECT * FROM bmp.store_peer_events(records) LOOP
    IF e.event = 'collector-start' THEN
      PERFORM bmp.start_collector(e.record->>'collector', e.session_id, e.received_at, e.record ? 'unavailable');
      CONTINUE;
    END IF;
    total := total + 1;
    CONTINUE WHEN e.record ? 'redecoded';
    -- Any other event of a newer session implies that the session is up. A router's session never becomes an older one.
    IF e.event NOT IN ('session-down', 'session-rejected')
        AND (e.known_session IS NULL OR e.known_session < e.session_id) THEN
      PERFORM bmp.advance_session(e.router_id, e.session_id, e.received_at, e.record);
    END IF;
    CASE e.event
      WHEN 'session-up' THEN  -- not always the first event of its session in the topic
        UPDATE bmp.router SET name_source = e.record->>'name_source'
        WHERE router_id = e.router_id AND session_id = e.session_id;
        PERFORM bmp.open_session(e.router_id, e.session_id, e.record->>'collector');
      WHEN 'session-down' THEN
        DELETE FROM bmp.open_session WHERE router_id = e.router_id AND session_id = e.session_id;
        UPDATE bmp.router SET session_id = e.session_id, connected = false, disconnected_at = e.received_at
        WHERE router_id = e.router_id AND (session_id IS NULL OR session_id <= e.session_id);
      WHEN 'initiation' THEN
        UPDATE bmp.router SET sys_name = coalesce(e.record->>'sys_name', sys_name),
          sys_descr = coalesce(e.record->>'sys_descr', sys_descr)
        WHERE router_id = e.router_id AND session_id = e.session_id;
      WHEN 'peer-up' THEN
        PERFORM bmp.peer_up(e.router_id, e.peer_type, e.distinguisher, e.address, e.bgp_id, e.asn, e.rib_view,
          e.session_id, e.sequence, e.received_at, e.record);
      WHEN 'peer-unannounced' THEN
        PERFORM bmp.peer_unannounced(e.router_id, e.peer_type, e.distinguisher, e.address, e.bgp_id, e.asn, e.rib_view,
          e.session_id, e.sequence);
      WHEN 'decode-mismatch' THEN
        PERFORM bmp.decode_mismatch(e.router_id, e.peer_type, e.distinguisher, e.address, e.bgp_id, e.rib_view,
          e.session_id, e.record);
      WHEN 'peer-down' THEN
        PERFORM bmp.peer_down(e.router_id, e.peer_type, e.distinguisher, e.address, e.bgp_id, e.rib_view,
          e.session_id, e.sequence, e.received_at, e.record);
      ELSE NULL;
    END CASE;
  END LOOP;
  RETURN total;
END $$;
COMMENT ON FUNCTION bmp.insert_peer_events IS 'Internal: stores peer and session events and applies each new one to the state of its router or peer, unless a newer session has already changed that state. Events that were decoded again are stored but not applied';

CREATE OR REPLACE FUNCTION bmp.ensure_peer(in_router_id integer, in_peer_type smallint, in_distinguisher bigint,
  in_address inet, in_bgp_id bigint, in_asn bigint) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  id integer;
BEGIN
  FOR attempt IN 1..2 LOOP
    SELECT peer_id INTO id FROM bmp.peer p WHERE p.router_id = in_router_id AND p.peer_type = in_peer_type
      AND p.distinguisher = in_distinguisher AND p.address = in_address AND p.bgp_id = in_bgp_id;
    EXIT WHEN FOUND;
    INSERT INTO bmp.peer (router_id, peer_type, distinguisher, address, bgp_id, asn)
    VALUES (in_router_id, in_peer_type, in_distinguisher, in_address, in_bgp_id, in_asn)
    ON CONFLICT DO NOTHING;
  END LOOP;
  RETURN id;
END $$;
COMMENT ON FUNCTION bmp.ensure_peer IS 'Internal: returns the id of a peer, inserting the peer if it is new';

CREATE OR REPLACE FUNCTION bmp.ensure_peers(records jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM bmp.ensure_routers(records);
  -- In the order of the unique key, as the lanes of routes do: two lanes do not wait for each other in a circle.
  INSERT INTO bmp.peer (router_id, peer_type, distinguisher, address, bgp_id, asn)
  SELECT DISTINCT ON (router_id, peer_type, distinguisher, address, bgp_id)
    router_id, peer_type, distinguisher, address, bgp_id, asn
  FROM bmp.low_volume(records) g
  WHERE event IN ('peer-up', 'peer-unannounced') AND NOT record ? 'redecoded'
    -- A scalar subquery: NOT EXISTS would become a join. Planned while there were few peers, it searches the index by
    -- its first column only, so that each new peer reads all known ones of its router until the next ANALYZE.
    AND (SELECT peer_id FROM bmp.peer p WHERE p.router_id = g.router_id AND p.peer_type = g.peer_type
      AND p.distinguisher = g.distinguisher AND p.address = g.address AND p.bgp_id = g.bgp_id) IS NULL
  ORDER BY router_id, peer_type, distinguisher, address, bgp_id, ordinal
  ON CONFLICT DO NOTHING;
EXCEPTION WHEN data_exception OR integrity_constraint_violation OR program_limit_exceeded THEN
  NULL; -- a record is invalid: apply_peer_events inserts the peers of the others
END $$;
COMMENT ON FUNCTION bmp.ensure_peers IS 'Internal: inserts the routers and peers of events that are not known yet, in a statement of its own before the lane''s transaction: the lanes of routes insert the same peers and would wait for it';

CREATE OR REPLACE FUNCTION bmp.peer_up(in_router_id integer, in_peer_type smallint, in_distinguisher bigint, in_address inet,
  in_bgp_id bigint, in_asn bigint, in_rib_view smallint, in_session bigint, in_sequence bigint, in_received_at timestamptz,
  in_record jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  id integer := bmp.ensure_peer(in_router_id, in_peer_type, in_distinguisher, in_address, in_bgp_id, in_asn);
BEGIN
  UPDATE bmp.peer SET asn = in_asn, table_name = coalesce(in_record->>'table_name', table_name)
  WHERE peer_id = id
    AND (asn <> in_asn OR table_name IS DISTINCT FROM coalesce(in_record->>'table_name', table_name));
  INSERT INTO bmp.peer_state AS s (peer_id, rib_view, up, session_id, sequence, up_at, local_address, local_port,
    remote_port, capabilities)
  VALUES (id, in_rib_view, true, in_session, in_sequence, in_received_at, bmp.address(in_record->>'local_address'),
    (in_record->>'local_port')::integer, (in_record->>'remote_port')::integer, in_record->'capabilities')
  ON CONFLICT (peer_id, rib_view) DO UPDATE SET up = true, announced = true, session_id = excluded.session_id,
    sequence = excluded.sequence,
    -- A second Peer Up of a peer that is up replaces its details but not the time since which it is up.
    up_at = CASE WHEN s.up AND s.announced AND s.session_id = excluded.session_id THEN s.up_at ELSE excluded.up_at END,
    down_at = NULL, down_reason = NULL, local_address = excluded.local_address, local_port = excluded.local_port,
    remote_port = excluded.remote_port, capabilities = excluded.capabilities,
    decode = CASE WHEN s.up AND s.session_id = excluded.session_id
      AND s.capabilities->'session' = excluded.capabilities->'session' THEN s.decode END
  WHERE s.session_id <= excluded.session_id;
END $$;
COMMENT ON FUNCTION bmp.peer_up IS 'Internal: records that a view of a peer is up';

CREATE OR REPLACE FUNCTION bmp.peer_unannounced(in_router_id integer, in_peer_type smallint, in_distinguisher bigint,
  in_address inet, in_bgp_id bigint, in_asn bigint, in_rib_view smallint, in_session bigint, in_sequence bigint)
RETURNS void LANGUAGE sql AS $$
  INSERT INTO bmp.peer_state AS s (peer_id, rib_view, up, announced, session_id, sequence)
  VALUES (bmp.ensure_peer(in_router_id, in_peer_type, in_distinguisher, in_address, in_bgp_id, in_asn), in_rib_view, true,
    false, in_session, in_sequence)
  ON CONFLICT (peer_id, rib_view) DO UPDATE SET up = true, announced = false, session_id = excluded.session_id,
    sequence = excluded.sequence, up_at = NULL, down_at = NULL, down_reason = NULL, capabilities = NULL, decode = NULL
  WHERE s.session_id < excluded.session_id OR s.session_id = excluded.session_id AND NOT s.up
$$;
COMMENT ON FUNCTION bmp.peer_unannounced IS 'Internal: records a peer whose routes arrived without a Peer Up. That an earlier session announced it does not count in this one';

CREATE OR REPLACE FUNCTION bmp.decode_mismatch(in_router_id integer, in_peer_type smallint, in_distinguisher bigint,
  in_address inet, in_bgp_id bigint, in_rib_view smallint, in_session bigint, in_record jsonb) RETURNS void LANGUAGE sql AS $$
  WITH candidate AS (
    SELECT s.peer_id, s.rib_view, bool_or(s.rib_view = in_rib_view) OVER () AS has_own
    FROM bmp.peer_state s JOIN bmp.peer p USING (peer_id)
    WHERE p.router_id = in_router_id AND p.peer_type = in_peer_type AND p.distinguisher = in_distinguisher
      AND p.address = in_address AND (p.bgp_id = in_bgp_id OR in_bgp_id = 0) AND s.session_id = in_session)
  UPDATE bmp.peer_state s
  SET decode = coalesce(s.decode, '{}') || jsonb_build_object(in_record->>'rib_view', in_record->'decode')
  FROM candidate c
  WHERE s.peer_id = c.peer_id AND s.rib_view = c.rib_view AND (s.rib_view = in_rib_view OR NOT c.has_own)
$$;
COMMENT ON FUNCTION bmp.decode_mismatch IS 'Internal: records that a view''s UPDATEs are not decoded as its Peer Up specifies: in the view''s own row or, if it came up with the Peer Up of other views, in theirs';

CREATE OR REPLACE FUNCTION bmp.peer_down(in_router_id integer, in_peer_type smallint, in_distinguisher bigint,
  in_address inet, in_bgp_id bigint, in_rib_view smallint, in_session bigint, in_sequence bigint,
  in_received_at timestamptz, in_record jsonb)
RETURNS void LANGUAGE sql AS $$
  -- FRR sends BGP ID 0.0.0.0 for a peer that is not up: then every peer with the address is meant.
  UPDATE bmp.peer_state s SET up = false, down_at = in_received_at, down_reason = in_record->>'reason',
    session_id = in_session, sequence = in_sequence
  FROM bmp.peer p
  WHERE p.router_id = in_router_id AND p.peer_type = in_peer_type AND p.distinguisher = in_distinguisher
    AND p.address = in_address AND (p.bgp_id = in_bgp_id OR in_bgp_id = 0)
    AND s.peer_id = p.peer_id AND s.up AND s.session_id <= in_session
    AND ((in_record->>'all_views')::boolean IS NOT FALSE OR s.rib_view = in_rib_view)
$$;
COMMENT ON FUNCTION bmp.peer_down IS 'Internal: records that a view of a peer, or the whole peer, is down';

-- Statistics, mirrored messages, quarantine ---------------------------------------------------------------------------

CREATE OR REPLACE FUNCTION bmp.insert_statistics(records jsonb) RETURNS integer LANGUAGE sql AS $$
  WITH stored AS (
    INSERT INTO bmp.statistic (received_at, router_time, session_id, sequence, ordinal, router_id, peer_type, distinguisher,
      address, asn, bgp_id, rib_view, type, name, afi, safi, value, raw)
    SELECT r.received_at, r.router_time, r.session_id, r.sequence, s.ordinal - 1, r.router_id, r.peer_type, r.distinguisher,
      r.address, r.asn, r.bgp_id, r.rib_view, (stat->>'type')::integer, stat->>'name', (stat->>'afi')::integer,
      (stat->>'safi')::integer, (stat->>'value')::numeric, decode(stat->>'raw', 'hex')
    FROM bmp.low_volume(records) r,
      jsonb_array_elements(coalesce(r.record->'statistics', '[]')) WITH ORDINALITY s(stat, ordinal)
    ON CONFLICT DO NOTHING RETURNING 1)
  SELECT count(*)::integer FROM stored
$$;
COMMENT ON FUNCTION bmp.insert_statistics IS 'Internal: stores the records of Statistics Reports and returns the number of rows';

CREATE OR REPLACE FUNCTION bmp.insert_mirror(records jsonb) RETURNS integer LANGUAGE sql AS $$
  WITH stored AS (
    INSERT INTO bmp.mirrored_message (received_at, router_time, session_id, sequence, ordinal, router_id, peer_type,
      distinguisher, address, asn, bgp_id, rib_view, type, name, bytes)
    SELECT r.received_at, r.router_time, r.session_id, r.sequence, m.ordinal - 1, r.router_id, r.peer_type,
      r.distinguisher, r.address, r.asn, r.bgp_id, r.rib_view, (message->>'type')::integer, message->>'name',
      decode(coalesce(message->>'bytes', ''), 'base64')
    FROM bmp.low_volume(records) r,
      jsonb_array_elements(coalesce(r.record->'messages', '[]')) WITH ORDINALITY m(message, ordinal)
    ON CONFLICT DO NOTHING RETURNING 1)
  SELECT count(*)::integer FROM stored
$$;
COMMENT ON FUNCTION bmp.insert_mirror IS 'Internal: stores mirrored messages and returns the number of rows';

CREATE OR REPLACE FUNCTION bmp.insert_quarantine(records jsonb) RETURNS integer LANGUAGE sql AS $$
  WITH stored AS (
    INSERT INTO bmp.quarantine (received_at, router_time, session_id, sequence, router_id, peer_type, distinguisher,
      address, asn, bgp_id, rib_view, message_type, byte_offset, reason, rfc_section, bytes)
    SELECT r.received_at, r.router_time, r.session_id, r.sequence, r.router_id, r.peer_type, r.distinguisher, r.address,
      r.asn, r.bgp_id, r.rib_view, r.record->>'message_type', (r.record->>'offset')::integer,
      coalesce(r.record->>'reason', 'no reason given'), coalesce(r.record->>'rfc_section', r.record->>'section'),
      decode(coalesce(r.record->>'bytes', ''), 'base64')
    FROM bmp.low_volume(records) r ORDER BY r.ordinal  -- so that ids ascend in the order of the records
    ON CONFLICT DO NOTHING RETURNING 1)
  SELECT count(*)::integer FROM stored
$$;
COMMENT ON FUNCTION bmp.insert_quarantine IS 'Internal: stores quarantined messages and returns the number of rows';

-- Alerts ------------------------------------------------------------------------------------------------------------

CREATE OR REPLACE FUNCTION bmp.insert_alerts(records jsonb) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  a jsonb;
  total integer := 0;
BEGIN
  FOR a IN SELECT record FROM jsonb_array_elements(records) WITH ORDINALITY e(record, ordinal) ORDER BY ordinal LOOP
    IF a->>'event' = 'closed' THEN
      -- By its key: a station that was started again may have opened the alert with another time.
      UPDATE bmp.alert SET closed_at = (a->>'changed_at')::timestamptz
      WHERE alert_key = a->>'key' AND closed_at IS NULL AND opened_at <= (a->>'changed_at')::timestamptz;
    ELSIF NOT EXISTS (SELECT FROM bmp.alert k WHERE k.opened_at = (a->>'opened_at')::timestamptz AND k.alert_id = a->>'id'
        AND k.closed_at IS NOT NULL) THEN  -- Another station with the same rules may report later what has been closed.
      INSERT INTO bmp.alert (alert_id, alert_key, opened_at, notified_at, record)
      VALUES (a->>'id', a->>'key', (a->>'opened_at')::timestamptz, (a->>'notified_at')::timestamptz, a)
      ON CONFLICT (alert_key) WHERE closed_at IS NULL DO UPDATE SET notified_at = excluded.notified_at, record = excluded.record
        WHERE alert.alert_id = excluded.alert_id;
    END IF;
    total := total + 1;
  END LOOP;
  RETURN total;
END $$;
COMMENT ON FUNCTION bmp.insert_alerts IS 'Internal: stores the changes of alerts and returns their number';

-- The functions that the routes call ----------------------------------------------------------------------------------

CREATE OR REPLACE FUNCTION bmp.apply_peer_events(records jsonb) RETURNS integer LANGUAGE sql AS
$$ SELECT bmp.apply_safely('peer_events', records) $$;
COMMENT ON FUNCTION bmp.apply_peer_events IS 'Internal: the function of the lane peers: stores a batch of records exactly as far as they are new';

CREATE OR REPLACE FUNCTION bmp.apply_statistics(records jsonb) RETURNS integer LANGUAGE sql AS
$$ SELECT bmp.apply_safely('statistics', records) $$;
COMMENT ON FUNCTION bmp.apply_statistics IS 'Internal: the function of the lane stats: stores a batch of records exactly as far as they are new';

CREATE OR REPLACE FUNCTION bmp.apply_mirror(records jsonb) RETURNS integer LANGUAGE sql AS
$$ SELECT bmp.apply_safely('mirror', records) $$;
COMMENT ON FUNCTION bmp.apply_mirror IS 'Internal: the function of the lane mirror: stores a batch of records exactly as far as they are new';

CREATE OR REPLACE FUNCTION bmp.apply_alerts(records jsonb) RETURNS integer LANGUAGE sql AS
$$ SELECT bmp.apply_safely('alerts', records) $$;
COMMENT ON FUNCTION bmp.apply_alerts IS 'Internal: the function of the lane store-alerts: stores a batch of changes of alerts';

CREATE OR REPLACE FUNCTION bmp.apply_quarantine(records jsonb) RETURNS integer LANGUAGE sql AS
$$ SELECT bmp.apply_safely('quarantine', records) $$;
COMMENT ON FUNCTION bmp.apply_quarantine IS 'Internal: the function of the lane quarantine: stores a batch of records exactly as far as they are new';
