package dev.silkroute.digest;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of comparing two copies of a table.
 *
 * @param here the digest of one copy, null if that does not have the table
 * @param there the digest of the other copy, null if that does not have the table
 * @param differing the number of routes that differ; -1 if it is unknown, because there are too many
 * @param settled the number of routes that differed at first and were equal when they were compared again
 * @param routes the routes that differ, not necessarily all
 */
public record ComparedTable(
        TableName name,
        @Nullable TableDigest here,
        @Nullable TableDigest there,
        State state,
        long differing,
        int settled,
        List<ComparedRoute> routes) {
    /** The relation of the two copies. */
    public enum State {
        /** Both copies have the same routes. */
        EQUAL("equal"),
        DIFFERS("differs"),
        /** The other copy does not have the table. */
        ONLY_HERE("only-here"),
        ONLY_THERE("only-there");

        private final String text;

        State(String text) {
            this.text = text;
        }

        public String text() {
            return text;
        }
    }

    /**
     * A route that differs.
     *
     * @param here null if this copy does not have it
     * @param there null if the other copy does not have it
     * @param isMoving whether it changed each time it was compared, so that the difference may be one of time only
     */
    public record ComparedRoute(
            @Nullable RouteState here, @Nullable RouteState there, boolean isMoving) {
        /** Returns the state of one side, which at least one side has. */
        public RouteState any() {
            RouteState state = here == null ? there : here;
            if (state == null) {
                throw new IllegalStateException("a route that no copy has");
            }
            return state;
        }
    }
}
