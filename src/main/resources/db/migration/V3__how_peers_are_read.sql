-- How a peer's UPDATEs are read, where that is not what its Peer Up says: {view: {"add_path": {family: …}, …}}; null where all is as said.
ALTER TABLE bmp.peer_state ADD COLUMN decode jsonb;
-- False for a peer of whom only routes came, no Peer Up.
ALTER TABLE bmp.peer_state ADD COLUMN announced boolean NOT NULL DEFAULT true;

CREATE OR REPLACE VIEW bmp.v_peers AS
SELECT r.name AS router, p.address AS peer_address, p.asn AS peer_asn, bmp.bgp_id_text(p.bgp_id) AS peer_bgp_id,
  bmp.peer_type_text(p.peer_type) AS peer_type, bmp.distinguisher_text(p.distinguisher) AS peer_distinguisher,
  p.table_name, bmp.rib_view_text(s.rib_view) AS rib_view,
  CASE WHEN NOT s.up THEN 'down' WHEN NOT r.connected OR r.session_id <> s.session_id THEN 'stale'
    WHEN s.announced THEN 'up' ELSE 'unannounced' END AS state,
  s.up_at, s.down_at, s.down_reason, s.capabilities,
  s.local_address, s.local_port, s.remote_port, s.session_id, s.decode
FROM bmp.peer_state s JOIN bmp.peer p USING (peer_id) JOIN bmp.router r USING (router_id);
