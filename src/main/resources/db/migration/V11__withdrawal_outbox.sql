-- Withdrawals that the station has made and that are not in the topic bmp.withdrawals.json yet (docs/state.md). A row comes in the
-- transaction of its row of bmp.route_event and says the same; empty where the topic is off.
--
-- A router's numbers rise in the order of its commits, because whoever withdraws for it waits for those before: a number is taken
-- when it is its turn. So the sequence may not have a cache, from which a connection would take numbers of earlier.
CREATE TABLE bmp.withdrawal_outbox (
  id bigint GENERATED ALWAYS AS IDENTITY (CACHE 1) PRIMARY KEY,
  received_at timestamptz NOT NULL,
  session_id bigint NOT NULL,
  sequence bigint NOT NULL,
  path_id bigint,                  -- null: none
  rd bigint,                       -- null: the family has none
  peer_id integer NOT NULL,
  family integer NOT NULL,
  rib_view smallint NOT NULL,
  prefix cidr,                     -- null: the family is no prefix
  nlri text                        -- null: the text of the prefix
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);  -- a queue: emptied as fast as it is filled

-- Whether the station's sweep fills it, for those who do the station's work in its place.
CREATE TABLE bmp.withdrawal_topic (
  told boolean NOT NULL
);
INSERT INTO bmp.withdrawal_topic VALUES (false);
