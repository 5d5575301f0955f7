package dev.silkroute.app.rpki;

import dev.silkroute.fixture.TestConfig;
import dev.silkroute.rpki.AspaTable;
import dev.silkroute.rpki.VrpTable;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Instant;
import java.util.SortedMap;
import javax.sql.DataSource;

/** Versions of VRPs, stored as a station does. */
public final class StoredVrps {
    private StoredVrps() {}

    public static void store(DataSource database, SortedMap<Instant, VrpTable> versions) {
        VrpHistory history = new VrpHistory(database, TestConfig.of(), new SimpleMeterRegistry());
        versions.forEach((since, table) -> history.update(new VrpsInUse(table, AspaTable.EMPTY, since), since));
        history.stop();
    }
}
