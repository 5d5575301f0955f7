-- How far each lane has come in Kafka, moved on in the transaction that stores its records: what is below next_offset is
-- stored, what is not below is not. By the topic's id, so that a topic that is made anew is read anew. To have a lane read
-- a partition again from some offset, stop the writers, remove what is stored, and set next_offset. Where a row is
-- missing, the lane begins where Kafka's own commit of its consumer group is.
CREATE TABLE bmp.lane_offset (
  lane text NOT NULL,
  topic text NOT NULL,
  topic_id uuid NOT NULL,
  kafka_partition integer NOT NULL,
  next_offset bigint NOT NULL,
  PRIMARY KEY (lane, topic_id, kafka_partition)
) WITH (fillfactor = 50, autovacuum_vacuum_threshold = 100);
