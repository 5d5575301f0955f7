package dev.silkroute.app.rib;

import dev.silkroute.app.config.StationConfig;
import dev.silkroute.rib.Rib;
import dev.silkroute.rib.RibConfig;
import io.quarkus.arc.Unremovable;
import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.common.annotation.Identifier;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.util.Optional;
import org.apache.camel.spi.Metadata;

/**
 * Creates the RIB, by default with a third of the heap, and on demand the collector's RIB, by default with a quarter.
 */
@Singleton
final class RibBeans {
    /** Name of the collector's RIB, which contains what this process has received; used by the collector's routes. */
    static final String COLLECTOR = "collectorRib";

    private static final int SHARE_OF_HEAP = 3;
    private static final int COLLECTORS_SHARE_OF_HEAP = 4;
    private static final int TABLES = 1 << 20;
    private static final int PURGE_BATCH = 1024;

    @Produces
    @Singleton
    @Named("rib")
    @Metadata(description = "The RIB in memory, which the packaged route rib feeds: option rib of rib:")
    @Unremovable
    Rib rib(StationConfig config) {
        var rib = config.rib();
        long bytes = bytes(rib.memory(), SHARE_OF_HEAP);
        RibConfig ofBytes = new RibConfig(rib.shards(), bytes, rib.tables(), rib.purgeBatchSize());
        return new Rib(rib.indexMemory()
                .map(memory -> ofBytes.withIndexBytes(memory.asLongValue()))
                .orElse(ofBytes));
    }

    void close(@Disposes Rib rib) {
        rib.close();
    }

    @Produces
    @Singleton
    @Named(COLLECTOR)
    @Metadata(
            description =
                    "The RIB of the routes that this collector receives, for its topic of changes: option rib of rib:")
    @Identifier(COLLECTOR) // so that an unqualified Rib is the other one
    @Unremovable
    Rib collectorRib(StationConfig config) {
        long bytes = bytes(config.changes().memory(), COLLECTORS_SHARE_OF_HEAP);
        return new Rib(new RibConfig(1, bytes, TABLES, PURGE_BATCH).withIndexBytes(0)); // no query uses it
    }

    void closeCollectors(@Disposes @Identifier(COLLECTOR) Rib rib) {
        rib.close();
    }

    private static long bytes(Optional<MemorySize> memory, int shareOfHeap) {
        return memory.map(MemorySize::asLongValue).orElse(Runtime.getRuntime().maxMemory() / shareOfHeap);
    }
}
