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

/** Announcements of table dumps that are rows of the history whatever was known before, to be copied when all events were looked at. */
public final class DumpHistory {
    private final List<Part> parts = new ArrayList<>();

    /** Some events of a batch, by their place in it: a bit each, as a hostile batch has a million. */
    private static final class Part {
        private final RouteBatch batch;
        private final BatchPeers peers;
        private final BitSet events = new BitSet();

        private Part(RouteBatch batch, BatchPeers peers) {
            this.batch = batch;
            this.peers = peers;
        }
    }

    public void begin(RouteBatch batch, BatchPeers peers) {
        if (!parts.isEmpty() && parts.getLast().events.isEmpty()) {
            parts.removeLast();
        }
        parts.add(new Part(batch, peers));
    }

    /** @param index which event of the batch, from 0 */
    public void add(int index) {
        parts.getLast().events.set(index);
    }

    /** @return how many rows were written */
    public long copy(Connection connection) throws SQLException {
        if (parts.stream().allMatch(part -> part.events.isEmpty())) {
            return 0;
        }
        try (CopyTable copy = HistoryWriter.begin(connection)) {
            for (Part part : parts) {
                RouteCursor event = part.batch.cursor();
                for (int at = 0; at < part.events.length() && event.next(); at++) {
                    if (part.events.get(at)) {
                        HistoryWriter.write(copy, part.batch, event, part.peers);
                    }
                }
            }
            return copy.finish();
        }
    }
}
