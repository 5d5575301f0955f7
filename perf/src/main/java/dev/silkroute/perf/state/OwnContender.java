package dev.silkroute.perf.state;

import dev.silkroute.perf.postgres.Database;
import dev.silkroute.perf.postgres.OwnLane;
import dev.silkroute.perf.postgres.TransactionFeed;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The station's lane. Attribute sets that it does not remember are written with the routes. */
final class OwnContender extends StationContender {
    private final List<TransactionFeed> known;
    private @Nullable OwnLane lane;

    /** @param known whose attribute sets the lane remembers to be there */
    OwnContender(String name, String database, List<TransactionFeed> known, TransactionFeed feed) {
        super(name, database, feed);
        this.known = List.copyOf(known);
    }

    @Override
    protected void prepare(Database database) throws Exception {
        super.prepare(database);
        lane = OwnLane.currentState(database.source(), OwnLane.setsOf(database, known));
    }

    @Override
    protected void run(Database database) throws Exception {
        if (lane != null) {
            lane.write(feed());
        }
    }
}
