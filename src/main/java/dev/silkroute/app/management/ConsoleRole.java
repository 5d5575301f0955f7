package dev.silkroute.app.management;

import java.util.Locale;
import java.util.Optional;

/** The rights of a user of the console. */
enum ConsoleRole {
    /** Reads MBeans. */
    VIEWER,
    /** Also writes attributes and executes operations: stops a route, for example. */
    OPERATOR;

    /** The name in the file of users, in Quarkus's policies and in the log. */
    String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Optional<ConsoleRole> of(String text) {
        for (var role : values()) {
            if (role.text().equals(text)) {
                return Optional.of(role);
            }
        }
        return Optional.empty();
    }
}
