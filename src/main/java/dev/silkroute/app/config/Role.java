package dev.silkroute.app.config;

import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.StringJoiner;

/** A role of a station, with the packaged routes that implement it. */
public enum Role {
    /** Accepts BMP sessions and sends their messages to Kafka. */
    COLLECTOR("collector"),
    /**
     * Writes the lanes to PostgreSQL: history, current state, and the lifecycle of routers and peers; maintains its
     * tables; and, where enabled, forwards to other topics.
     */
    WRITER("history", "current", "lifecycle", "maintenance", "json", "openbmp", "withdrawals"),
    /** Keeps the current routes in memory and, where enabled, enriches flow records with them. */
    RIB("rib", "flows"),
    /** Serves the REST API. */
    API;

    private final List<String> routes;

    Role(String... routes) {
        this.routes = List.of(routes);
    }

    /** Returns the file names of the packaged routes, without extension. */
    public List<String> routes() {
        return routes;
    }

    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Parses a list such as {@code collector,writer}; {@code all} stands for every role.
     *
     * @throws UsageError if an element is not a role
     */
    public static Set<Role> parse(String text) {
        var roles = EnumSet.noneOf(Role.class);
        for (var part : text.split(",", -1)) {
            var name = part.strip().toLowerCase(Locale.ROOT);
            if (name.equals("all")) {
                return EnumSet.allOf(Role.class);
            }
            roles.add(of(name));
        }
        return roles;
    }

    public static String text(Set<Role> roles) {
        var text = new StringJoiner(",");
        roles.forEach(role -> text.add(role.text()));
        return text.toString();
    }

    /** Returns whether a station with these roles uses PostgreSQL; a collector alone does not. */
    public static boolean needDatabase(Set<Role> roles) {
        return !roles.equals(Set.of(COLLECTOR));
    }

    private static Role of(String name) {
        for (var role : values()) {
            if (role.text().equals(name)) {
                return role;
            }
        }
        throw new UsageError("'" + name + "' is not a role: --roles takes collector, writer, rib, api");
    }
}
