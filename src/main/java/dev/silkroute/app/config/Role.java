package dev.silkroute.app.config;

import java.util.List;
import java.util.Locale;

/** A role of a station, with the packaged routes that implement it. */
public enum Role {
    /** Accepts BMP sessions and sends their messages to Kafka. */
    COLLECTOR("collector"),
    /**
     * Writes the lanes to PostgreSQL: history, current state, and the lifecycle of routers and peers; requests what is
     * missing; maintains its tables; and, where enabled, forwards to other topics.
     */
    WRITER("history", "current", "lifecycle", "recovery", "maintenance", "json", "openbmp", "withdrawals", "alerts"),
    /** Keeps the current routes in memory and, where enabled, enriches flow records with them. */
    RIB("rib", "flows"),
    /** Serves the REST API and the live stream. */
    API("live");

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

    /** @throws UsageError if the name is not that of a role */
    static Role of(String name) {
        for (var role : values()) {
            if (role.text().equals(name)) {
                return role;
            }
        }
        throw new UsageError("'" + name + "' is not a role: --roles takes collector, writer, rib, api");
    }
}
