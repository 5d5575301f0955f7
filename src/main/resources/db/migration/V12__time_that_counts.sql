-- Time that decides (docs/state.md): a router may stay away, or be silent of a peer, for so long from when the lane of the current state
-- got to know that it went or came. The event's own time, changed_at, is of before: where the lane is behind, what the router has said
-- since is still to be read. What is there already begins now.
ALTER TABLE bmp.live_session ADD COLUMN noted_at timestamptz NOT NULL DEFAULT now();

-- When somebody last looked for tables whose time is over. While nobody did, because the database or all writers were away, nothing was
-- read either.
CREATE TABLE bmp.stale_look (
  at timestamptz NOT NULL
);
INSERT INTO bmp.stale_look VALUES (now());
