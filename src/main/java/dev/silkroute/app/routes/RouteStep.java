package dev.silkroute.app.routes;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The change of one route file.
 *
 * @param now the loaded file, null if it is new
 * @param next the rehearsed file to load, null if it was deleted
 */
record RouteStep(
        String name, @Nullable Running now, @Nullable Running next) {

    List<String> before() {
        return now == null ? List.of() : now.ids();
    }

    List<String> after() {
        return next == null ? List.of() : next.ids();
    }

    /** Returns the ids that the file no longer has; another file may have them after the change. */
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

    /** Returns the step that reverts this one. */
    RouteStep undone() {
        return new RouteStep(name, next, now);
    }

    /** Returns the file's name for messages. */
    String shown() {
        var known = next == null ? now : next;
        return known == null ? name : known.file().shown();
    }
}
