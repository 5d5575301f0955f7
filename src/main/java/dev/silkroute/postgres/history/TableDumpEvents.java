package dev.silkroute.postgres.history;

import dev.silkroute.postgres.copy.CopyTable;
import dev.silkroute.postgres.dimension.BatchPeers;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.RouteCursor;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Announcements of table dumps that belong to the history whatever the database contains, collected while the events of
 * a transaction are applied and copied at its end. Not thread-safe.
 */
public final class TableDumpEvents {
    private final List<Selection> selections = new ArrayList<>();

    /** Selected events of a batch by their index: one bit each, because a hostile batch may have a million events. */
    private record Selection(RouteBatch batch, BatchPeers peers, BitSet events) {}

    /** Begins a batch, to which {@link #add} refers from now on. */
    public void begin(RouteBatch batch, BatchPeers peers) {
        if (!selections.isEmpty() && selections.getLast().events.isEmpty()) {
            selections.removeLast();
        }
        selections.add(new Selection(batch, peers, new BitSet()));
    }

    /** @param index the index of the event within the batch, from 0 */
    public void add(int index) {
        selections.getLast().events.set(index);
    }

    /**
     * Copies the events into {@code bmp.route_event}.
     *
     * @return the number of rows
     */
    public long copy(Connection connection) throws SQLException {
        if (selections.stream().allMatch(selection -> selection.events.isEmpty())) {
            return 0;
        }
        try (CopyTable copy = RouteEventRow.copyInto(connection, HistoryWriter.TABLE)) {
            for (Selection selection : selections) {
                RouteCursor event = selection.batch.cursor();
                for (int index = 0; index < selection.events.length() && event.next(); index++) {
                    if (selection.events.get(index)) {
                        RouteEventRow.write(copy, selection.batch, event, selection.peers);
                    }
                }
            }
            return copy.finish();
        }
    }
}
