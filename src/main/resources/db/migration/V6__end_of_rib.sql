-- The newest session in which the router sent the End-of-RIB of a table, until a Peer Down of its view. Family 0 stands
-- for all families of the view. A peer has at most 1,000 rows.
CREATE TABLE bmp.rib_end_of_rib (
  peer_id integer NOT NULL,
  rib_view smallint NOT NULL,
  family integer NOT NULL,
  session_id bigint NOT NULL,
  PRIMARY KEY (peer_id, rib_view, family)
) WITH (fillfactor = 70);
COMMENT ON TABLE bmp.rib_end_of_rib IS 'Internal: the newest session with an End-of-RIB for each table';
