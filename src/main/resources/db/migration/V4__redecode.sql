-- Quarantined messages that were decoded later (silkroute redecode), and a number by which the rows are paged.
ALTER TABLE bmp.quarantine
  ADD COLUMN id bigint GENERATED ALWAYS AS IDENTITY,
  ADD COLUMN redecoded_at timestamptz;  -- null: open
CREATE UNIQUE INDEX quarantine_id ON bmp.quarantine (id);

CREATE OR REPLACE VIEW bmp.v_quarantine AS
SELECT r.name AS router, q.address AS peer_address, q.asn AS peer_asn, bmp.bgp_id_text(q.bgp_id) AS peer_bgp_id,
  bmp.peer_type_text(q.peer_type) AS peer_type, bmp.distinguisher_text(q.distinguisher) AS peer_distinguisher,
  bmp.rib_view_text(q.rib_view) AS rib_view,
  q.message_type, q.reason, q.section, q.byte_offset, q.bytes,
  q.received_at, q.router_time, q.session_id, q.sequence, q.kafka_record,
  CASE WHEN q.redecoded_at IS NULL THEN 'open' ELSE 'redecoded' END AS state, q.redecoded_at, q.id
FROM bmp.quarantine q LEFT JOIN bmp.router r USING (router_id);
