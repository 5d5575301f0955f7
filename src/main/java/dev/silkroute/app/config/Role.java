package dev.silkroute.app.config;

import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.StringJoiner;

/** A part a station can play, with the packaged routes that play it. */
public enum Role {
    /** Takes BMP sessions in and sends what they say to Kafka. */
    COLLECTOR("collector"),
    /**
     * Writes Kafka's lanes to PostgreSQL: history, current state, lifecycle of routers and peers; keeps its tables in shape; and, where they are switched
     * on, to other topics.
     */
    WRITER("history", "current", "lifecycle", "upkeep", "json", "openbmp", "withdrawals"),
    /** Keeps the routes in memory; and, where that is switched on, enriches flow records from them. */
    RIB("rib", "flows"),
    /** Answers questions by HTTP. */
    API;

    private final List<String> routes;

    Role(String... routes) {
        this.routes = List.of(routes);
    }

    /** Names of the packaged routes, without their ending. */
    public List<String> routes() {
        return routes;
    }

    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Roles as one writes them: {@code collector,writer}; {@code all} and nothing mean every role. */
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

    /** A collector alone works without PostgreSQL. */
    public static boolean needDatabase(Set<Role> roles) {
        return !roles.equals(Set.of(COLLECTOR));
    }

    private static Role of(String name) {
        for (var role : values()) {
            if (role.text().equals(name)) {
                return role;
            }
        }
        throw new OperatorError("'" + name + "' is not a role: --roles takes collector, writer, rib, api");
    }
}
