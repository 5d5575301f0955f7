package dev.silkroute.chaos;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The history of a route against what the topic says of it: all that the router said, each once, but for announcements of a table
 * dump that say what history said last; and where the router doesn't have the route any more and didn't say so, one withdrawal by the station.
 *
 * <p>Such a withdrawal is told some time after an End-of-RIB. If the router speaks of the route again before, there is none; if the table is dumped
 * once more before, and again without the route, it may be told in the name of the later End-of-RIB. Not thread-safe.
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

    // Of the route that is looked at.
    /** What history says: whether it is there, and as what. */
    private boolean told;

    private long content;
    /** What the topic says. */
    private boolean there;
    /** Of the last announcement. */
    private long session;
    /** The event of the topic by which it is gone, until history says so; -1: none. */
    private int gone;

    RouteCheck(Findings findings) {
        missing = findings.kind("event of bmp.routes that history lacks");
        twice = findings.kind("event that history has more than once");
        unknown = findings.kind("event of history that is not in bmp.routes");
        other = findings.kind("event that history has with another content");
        repeated = findings.kind("announcement of a new session in history that says nothing new");
        causeless = findings.kind("withdrawal by the station without an End-of-RIB or Peer Down of the route's table");
        stillThere = findings.kind("withdrawal by the station of a route that its router has");
        endedTwice = findings.kind("withdrawal by the station of a route that had ended in history");
        unended = findings.kind("route that is gone and that history doesn't end");
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

    /** @param rows of the route, by session and sequence */
    void check(RouteStory route, List<HistoryRow> rows) {
        told = false;
        there = false;
        session = -1;
        gone = -1;
        int next = 0;
        for (int i = 0; i < route.size(); i++) {
            while (next < rows.size() && rows.get(next).isBefore(route, i)) {
                apart(route, rows, next++);
            }
            boolean spoken = route.word(i).announces() || route.word(i) == RouteStory.Word.WITHDRAW;
            HistoryRow row = spoken && next < rows.size() && isOf(rows.get(next), route, i) ? rows.get(next++) : null;
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
                || !told
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
        told = true;
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
        told = false;
        there = false;
    }

    /** The router speaks of it again: what the station hadn't withdrawn by then stays, unless its peer was down. */
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
        if (told) {
            gone = i;
        }
    }

    private void unended(RouteStory route) {
        unended.add(route, "session", route.session(gone), "sequence", route.sequence(gone), route.word(gone));
    }

    /** A row that is not what the router said. */
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
        } else if (!told) {
            endedTwice.add(route, row);
        } else if (gone >= 0 && !row.isAt(route, gone)) {
            late++;
        }
        told = false;
        gone = -1;
    }
}
