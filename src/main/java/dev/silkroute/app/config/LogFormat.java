package dev.silkroute.app.config;

/** The format of the log: {@code silkroute.log.format}. */
public enum LogFormat {
    /** One line for each message, for people. */
    TEXT,
    /** One JSON object per line, for log collectors. */
    JSON
}
