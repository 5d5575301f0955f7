-- The Peer Downs of each peer: read by v_peers and peers_at().
CREATE INDEX peer_event_down ON bmp.peer_event (router_id, address, received_at) WHERE event = 'peer-down';
