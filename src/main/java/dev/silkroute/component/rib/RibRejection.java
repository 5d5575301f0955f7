package dev.silkroute.component.rib;

/**
 * A flow record that was left out.
 *
 * @param record index of the record in the body, from 0 on
 * @param reason why it was left out
 */
public record RibRejection(int record, String reason) {}
