package dev.silkroute.app.config;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** The roles of a station, in the order of {@link Role}. */
public record Roles(Set<Role> all) {
    public Roles {
        all = Collections.unmodifiableSet(EnumSet.copyOf(all));
    }

    /**
     * Parses a list such as {@code collector,writer}; {@code all} stands for every role.
     *
     * @throws UsageError if an element is not a role
     */
    public static Roles of(String text) {
        var roles = EnumSet.noneOf(Role.class);
        for (var part : text.split(",", -1)) {
            var name = part.strip().toLowerCase(Locale.ROOT);
            if (name.equals("all")) {
                return new Roles(EnumSet.allOf(Role.class));
            }
            roles.add(Role.of(name));
        }
        return new Roles(roles);
    }

    public boolean has(Role role) {
        return all.contains(role);
    }

    /** Returns whether a station with these roles uses PostgreSQL; a collector alone does not. */
    public boolean needDatabase() {
        return !all.equals(Set.of(Role.COLLECTOR));
    }

    /** Returns the list that {@link #of} parses. */
    @Override
    public String toString() {
        return all.stream().map(Role::text).collect(Collectors.joining(","));
    }
}
