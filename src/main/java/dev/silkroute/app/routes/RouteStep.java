package dev.silkroute.app.routes;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of one file of routes.
 *
 * @param now what runs of it, null where it is new
 * @param next what shall run, rehearsed; null where the file is gone
 */
record RouteStep(
        String name, @Nullable Running now, @Nullable Running next) {

    List<String> before() {
        return now == null ? List.of() : now.ids();
    }

    List<String> after() {
        return next == null ? List.of() : next.ids();
    }

    /** The ids that this file no longer has; another file may have them from now on. */
    List<String> dropped() {
        var dropped = new ArrayList<>(before());
        dropped.removeAll(after());
        return dropped;
    }

    boolean concerns(String id) {
        return before().contains(id) || after().contains(id);
    }

    boolean sharesRoutesWith(RouteStep other) {
        return before().stream().anyMatch(other::concerns) || after().stream().anyMatch(other::concerns);
    }

    /** The way back. */
    RouteStep undone() {
        return new RouteStep(name, next, now);
    }

    /** The file as one speaks of it. */
    String shown() {
        var known = next == null ? now : next;
        return known == null ? name : known.file().shown();
    }
}
