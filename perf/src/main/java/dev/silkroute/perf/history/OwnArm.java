package dev.silkroute.perf.history;

import dev.silkroute.perf.postgres.Database;
import dev.silkroute.perf.postgres.Feed;
import dev.silkroute.perf.postgres.OwnLane;
import dev.silkroute.postgres.dimension.AttributeSets;
import java.util.function.Supplier;

/** The station's history lane: records decoded, encoded, and stored with their offsets, a transaction each portion. */
final class OwnArm extends StationArm {
    private final Supplier<AttributeSets> attributes;

    /** @param attributes what the lane remembers at the beginning of a turn */
    OwnArm(String name, boolean setsKnown, Feed feed, Supplier<AttributeSets> attributes) {
        super(name, setsKnown, feed);
        this.attributes = attributes;
    }

    @Override
    protected void run(Database database) throws Exception {
        OwnLane.history(database.source(), attributes.get()).write(feed());
    }
}
