package dev.silkroute.perf.history;

import dev.silkroute.perf.postgres.Database;
import dev.silkroute.perf.postgres.OwnLane;
import dev.silkroute.perf.postgres.TransactionFeed;
import dev.silkroute.postgres.dimension.AttributeSets;
import java.util.function.Supplier;

/** The station's history lane: records decoded, encoded, and stored with their offsets, a transaction each portion. */
final class OwnContender extends StationContender {
    private final Supplier<AttributeSets> attributes;

    /** @param attributes what the lane remembers at the beginning of a turn */
    OwnContender(String name, boolean setsKnown, TransactionFeed feed, Supplier<AttributeSets> attributes) {
        super(name, setsKnown, feed);
        this.attributes = attributes;
    }

    @Override
    protected void run(Database database) throws Exception {
        OwnLane.history(database.source(), attributes.get()).write(feed());
    }
}
