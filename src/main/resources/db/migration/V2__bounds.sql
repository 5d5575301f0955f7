-- What a lane records about input that it could not store.

-- Whether a record of the session was set aside, so that routes may be missing or out of date: until the router's next
-- session all of them count as stale.
ALTER TABLE bmp.live_session ADD COLUMN incomplete boolean NOT NULL DEFAULT false;

-- A record that cannot be stored as a whole is stored in parts: the number of units (events) of the record at
-- next_offset that are stored.
ALTER TABLE bmp.lane_offset ADD COLUMN next_unit integer NOT NULL DEFAULT 0;
