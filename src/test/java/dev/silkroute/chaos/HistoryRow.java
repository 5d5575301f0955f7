package dev.silkroute.chaos;

/**
 * A row of {@code bmp.route_event}.
 *
 * @param attributes the lower half of the hash of the attribute set, or 0 for a withdrawal
 */
record HistoryRow(long session, long sequence, boolean announced, boolean synthetic, long attributes) {
    /** Returns whether the row precedes an event of the topic. */
    boolean isBefore(RouteStory route, int event) {
        return session < route.session(event) || session == route.session(event) && sequence < route.sequence(event);
    }

    boolean isAt(RouteStory route, int event) {
        return session == route.session(event) && sequence == route.sequence(event);
    }

    @Override
    public String toString() {
        return "session " + session + " sequence " + sequence + (synthetic ? " synthetic" : "")
                + (announced ? " announce" : " withdraw");
    }
}
