package dev.silkroute.alert;

/**
 * A record of {@code bmp.alerts}.
 *
 * @param key the key of the alert, so that the records of an alert stay in order
 * @param json the value, in UTF-8
 */
public record AlertRecord(String key, byte[] json) {}
