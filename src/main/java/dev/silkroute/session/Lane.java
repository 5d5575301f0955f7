package dev.silkroute.session;

import java.util.Locale;

/** Where a record goes: one lane, one topic {@code bmp.<lane>}. */
public enum Lane {
    ROUTES,
    PEERS,
    STATS,
    MIRROR,
    QUARANTINE;

    private final String text = name().toLowerCase(Locale.ROOT);

    public String text() {
        return text;
    }
}
