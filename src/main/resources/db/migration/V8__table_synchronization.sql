-- When each table was synchronized: from its first End-of-RIB in a session until a Peer Down of its view, or until the
-- first one in a newer session. Family 0 stands for all families of the view. rib_end_of_rib is its present.
CREATE TABLE bmp.table_synchronization (
  peer_id integer NOT NULL,
  rib_view smallint NOT NULL,
  family integer NOT NULL,
  session_id bigint NOT NULL,
  sequence bigint NOT NULL,        -- of the End-of-RIB in the session
  synchronized_from timestamptz NOT NULL,
  synchronized_until timestamptz,  -- null for a row of rib_end_of_rib
  PRIMARY KEY (peer_id, rib_view, family, session_id, sequence));
CREATE INDEX table_synchronization_open ON bmp.table_synchronization (peer_id, rib_view, family)
WHERE synchronized_until IS NULL;
COMMENT ON TABLE bmp.table_synchronization IS 'Internal: when each table was synchronized';

INSERT INTO bmp.table_synchronization (peer_id, rib_view, family, session_id, sequence, synchronized_from)
SELECT peer_id, rib_view, family, session_id, 0, now() FROM bmp.rib_end_of_rib;

-- Before this time, the history does not contain whether tables were synchronized.
CREATE TABLE bmp.table_synchronization_start (recorded_from timestamptz NOT NULL);
INSERT INTO bmp.table_synchronization_start VALUES (now());
COMMENT ON TABLE bmp.table_synchronization_start IS 'Internal: the time from which on table_synchronization is complete';
