package dev.silkroute.chaos;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Compares the history of a route with its events in the topic. History must contain each event of the router once,
 * except announcements of a table dump that change nothing, and one withdrawal by the station for each time that the
 * router no longer has the route without having withdrawn it.
 *
 * <p>Such a withdrawal is made some time after an End-of-RIB. If the router announces the route again before, there is
 * none. If the table is dumped again before, again without the route, the withdrawal may refer to the later End-of-RIB.
 * Not thread-safe.
 */
final class RouteCheck {
    private final Findings.Kind missing;
    private final Findings.Kind twice;
    private final Findings.Kind unknown;
    private final Findings.Kind other;
    private final Findings.Kind repeated;
    private final Findings.Kind causeless;
    private final Findings.Kind stillThere;
    private final Findings.Kind endedTwice;
    private final Findings.Kind unended;
    private long unchanged;
    private long late;
    private long spared;

    // State of the current route.
    /** Whether the route is announced in history, and with which attributes. */
    private boolean isInHistory;

    private long content;
    /** Whether the route is announced in the topic, and with which attributes. */
    private boolean there;
    /** The session of the last announcement. */
    private long session;
    /** The event of the topic that removed the route, until history has its withdrawal, or −1. */
    private int gone;

    RouteCheck(Findings findings) {
        missing = findings.kind("event of bmp.routes that history lacks");
        twice = findings.kind("duplicate event in history");
        unknown = findings.kind("event of history that is not in bmp.routes");
        other = findings.kind("event of history with other content than in bmp.routes");
        repeated = findings.kind("announcement of a new session in history that changes nothing");
        causeless = findings.kind("withdrawal by the station without an End-of-RIB or Peer Down of the route's table");
        stillThere = findings.kind("withdrawal by the station of a route that its router has");
        endedTwice = findings.kind("withdrawal by the station of a route that was already withdrawn in history");
        unended = findings.kind("removed route that is not withdrawn in history");
    }

    HistoryCounts close(long rows, long synthetic) {
        repeated.close();
        return new HistoryCounts(
                rows,
                synthetic,
                unchanged,
                late,
                spared,
                missing.close(),
                twice.close(),
                unknown.close() + other.close(),
                unended.close(),
                causeless.close() + stillThere.close() + endedTwice.close());
    }

    void unknown(HistoryRow row) {
        unknown.add(row);
    }

    /** @param rows the rows of the route, ordered by session and sequence */
    void check(RouteStory route, List<HistoryRow> rows) {
        isInHistory = false;
        there = false;
        session = -1;
        gone = -1;
        int next = 0;
        for (int i = 0; i < route.size(); i++) {
            while (next < rows.size() && rows.get(next).isBefore(route, i)) {
                apart(route, rows, next++);
            }
            boolean isExplicit = route.word(i).announces() || route.word(i) == RouteStory.Word.WITHDRAW;
            HistoryRow row =
                    isExplicit && next < rows.size() && isOf(rows.get(next), route, i) ? rows.get(next++) : null;
            switch (route.word(i)) {
                case ANNOUNCE, ANNOUNCE_IN_DUMP -> announced(route, i, row);
                case WITHDRAW -> withdrawn(route, i, row);
                case GONE, GONE_WITH_PEER -> gone(route, i);
            }
        }
        while (next < rows.size()) {
            apart(route, rows, next++);
        }
        if (gone >= 0) {
            unended(route);
        }
    }

    private static boolean isOf(HistoryRow row, RouteStory route, int event) {
        return row.isAt(route, event) && !row.synthetic();
    }

    private void announced(RouteStory route, int i, @Nullable HistoryRow row) {
        came(route);
        boolean news = route.word(i) == RouteStory.Word.ANNOUNCE
                || !isInHistory
                || content != route.content(i)
                || session == route.session(i);
        if (row == null) {
            if (news) {
                missing.add(route, "session", route.session(i), "sequence", route.sequence(i), route.word(i));
            } else {
                unchanged++;
            }
        } else if (!row.announced() || row.attributes() != route.attributes(i)) {
            other.add(route, row);
        } else if (!news) {
            repeated.add(route, row);
        }
        isInHistory = true;
        there = true;
        content = route.content(i);
        session = route.session(i);
    }

    private void withdrawn(RouteStory route, int i, @Nullable HistoryRow row) {
        came(route);
        if (row == null) {
            missing.add(route, "session", route.session(i), "sequence", route.sequence(i), "WITHDRAW");
        } else if (row.announced()) {
            other.add(route, row);
        }
        isInHistory = false;
        there = false;
    }

    /**
     * Handles a further event of the router: a route that the station has not withdrawn by then stays, unless its peer
     * was down.
     */
    private void came(RouteStory route) {
        if (gone >= 0) {
            if (route.word(gone) == RouteStory.Word.GONE) {
                spared++;
            } else {
                unended(route);
            }
            gone = -1;
        }
    }

    private void gone(RouteStory route, int i) {
        there = false;
        if (isInHistory) {
            gone = i;
        }
    }

    private void unended(RouteStory route) {
        unended.add(route, "session", route.session(gone), "sequence", route.sequence(gone), route.word(gone));
    }

    /** Handles a row that is not an event of the router. */
    private void apart(RouteStory route, List<HistoryRow> rows, int at) {
        HistoryRow row = rows.get(at);
        if (!row.synthetic()) {
            HistoryRow before = at == 0 ? row : rows.get(at - 1);
            boolean again = at > 0 && before.session() == row.session() && before.sequence() == row.sequence();
            (again ? twice : unknown).add(route, row);
            return;
        }
        if (row.announced()
                || !route.table().ends(row.session(), row.sequence())
                || gone >= 0 && route.word(gone) == RouteStory.Word.GONE_WITH_PEER && !row.isAt(route, gone)) {
            causeless.add(route, row);
        } else if (there) {
            stillThere.add(route, row);
        } else if (!isInHistory) {
            endedTwice.add(route, row);
        } else if (gone >= 0 && !row.isAt(route, gone)) {
            late++;
        }
        isInHistory = false;
        gone = -1;
    }
}
