-- A router may have a session with each of several collectors at the same time. Only its newest one counts.

-- The newest session of each router according to the lane of a history. Batches of older sessions are not stored in it.
-- Like live_session, but that of another lane, which may be ahead or behind.
CREATE TABLE bmp.history_session (
  history text NOT NULL,           -- the table that the lane fills
  router_id integer NOT NULL REFERENCES bmp.router,
  session_id bigint NOT NULL,
  PRIMARY KEY (history, router_id)
);

-- The sessions that are open according to the peer lane, with the collector that has them: also those that are not the
-- newest one of their router.
CREATE TABLE bmp.open_session (
  session_id bigint NOT NULL,
  router_id integer NOT NULL REFERENCES bmp.router,
  collector text NOT NULL,
  PRIMARY KEY (router_id, session_id)
);
CREATE INDEX ON bmp.open_session (collector);
INSERT INTO bmp.open_session (session_id, router_id, collector)
SELECT session_id, router_id, collector FROM bmp.router WHERE connected AND session_id IS NOT NULL AND collector IS NOT NULL;
