package dev.silkroute.component.rib;

/**
 * A flow record that was left out.
 *
 * @param record its place among those that came, from 0 on
 * @param reason what is wrong with it
 */
public record RibRefusal(int record, String reason) {}
