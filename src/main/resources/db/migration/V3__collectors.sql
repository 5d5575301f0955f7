-- When a collector has last reported that it runs, by the clock of the database, and the session_id of the start that
-- it reported. A writer can report that a collector is unavailable: then session_id of its row is larger.
ALTER TABLE bmp.collector ADD COLUMN alive_at timestamptz NOT NULL DEFAULT now(), ADD COLUMN alive_session_id bigint;
