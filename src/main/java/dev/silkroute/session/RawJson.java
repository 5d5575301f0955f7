package dev.silkroute.session;

/** A value of a record that is JSON already, and goes in as it is. */
public record RawJson(String text) {}
