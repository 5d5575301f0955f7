package dev.silkroute.postgres;

import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.RouteCursor;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Announcements of table dumps that are rows of the history whatever was known before, to be copied when all events were looked at. */
final class DumpHistory {
    private final List<Part> parts = new ArrayList<>();

    /** Some events of a batch, by their sequence. */
    private static final class Part {
        private final RouteBatch batch;
        private final BatchPeers peers;
        private final Set<Long> sequences = new HashSet<>();

        private Part(RouteBatch batch, BatchPeers peers) {
            this.batch = batch;
            this.peers = peers;
        }
    }

    void begin(RouteBatch batch, BatchPeers peers) {
        if (!parts.isEmpty() && parts.getLast().sequences.isEmpty()) {
            parts.removeLast();
        }
        parts.add(new Part(batch, peers));
    }

    /** The event of the batch that the cursor stands on. */
    void add(RouteCursor event) {
        parts.getLast().sequences.add(event.sequence());
    }

    /** @return how many rows were written */
    long copy(Connection connection) throws SQLException {
        if (parts.stream().allMatch(part -> part.sequences.isEmpty())) {
            return 0;
        }
        try (CopyTable copy = HistoryWriter.begin(connection)) {
            for (Part part : parts) {
                RouteCursor event = part.batch.cursor();
                while (!part.sequences.isEmpty() && event.next()) {
                    if (event.tableDump() && part.sequences.contains(event.sequence())) {
                        HistoryWriter.write(copy, part.batch, event, part.peers);
                    }
                }
            }
            return copy.finish();
        }
    }
}
