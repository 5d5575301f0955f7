package dev.silkroute.session;

/**
 * One record of a lane other than routes.
 *
 * @param event kind of record, such as {@code peer-up}: the field {@code event} of the JSON
 * @param sequence position within the session: the number of the message shifted left by 16
 * @param json the record's value in Kafka: a JSON object in UTF-8, as {@code docs/reference/topics.md} describes it
 */
@SuppressWarnings("ArrayRecordComponent") // never compared; the array goes to Kafka as it is
public record SessionRecord(String event, long sequence, byte[] json) {}
