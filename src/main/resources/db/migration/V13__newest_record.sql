-- A timestamp, milliseconds since 1970, that no stored record of a partition has a later one than. A later one before next_offset is of a record that
-- has come in the place of one that is stored: Kafka has lost the end of the partition (docs/pgcopy.md). NULL where none is known.
ALTER TABLE bmp.lane_offset ADD COLUMN newest_record bigint;
