package dev.silkroute.alert.record;

/**
 * A record of {@code bmp.alerts}.
 *
 * @param key the key of the alert, so that the records of an alert stay in order
 * @param at when the alert has changed, in microseconds since 1970
 * @param json the value, in UTF-8
 */
public record AlertRecord(String key, long at, byte[] json) {}
