package dev.silkroute.app.rib;

import dev.silkroute.app.config.ByteSize;
import dev.silkroute.rib.Rib;
import dev.silkroute.rib.RibConfig;
import io.quarkus.arc.Unremovable;
import io.smallrye.common.annotation.Identifier;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.util.Optional;
import org.eclipse.microprofile.config.inject.ConfigProperty;

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
    @Unremovable
    Rib rib(
            @ConfigProperty(name = "silkroute.rib.memory") Optional<String> memory,
            @ConfigProperty(name = "silkroute.rib.shards", defaultValue = "1") int shards,
            @ConfigProperty(name = "silkroute.rib.tables", defaultValue = "1048576") int tables,
            @ConfigProperty(name = "silkroute.rib.purge-batch-size", defaultValue = "1024") int purgeBatch) {
        long bytes = memory.map(ByteSize::parse).orElse(Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP);
        return new Rib(new RibConfig(shards, bytes, tables, purgeBatch));
    }

    void close(@Disposes Rib rib) {
        rib.close();
    }

    @Produces
    @Singleton
    @Named(COLLECTOR)
    @Identifier(COLLECTOR) // so that an unqualified Rib is the other one
    @Unremovable
    Rib collectorRib(@ConfigProperty(name = "silkroute.changes.memory") Optional<String> memory) {
        long bytes = memory.map(ByteSize::parse).orElse(Runtime.getRuntime().maxMemory() / COLLECTORS_SHARE_OF_HEAP);
        return new Rib(new RibConfig(1, bytes, TABLES, PURGE_BATCH));
    }

    void closeCollectors(@Disposes @Identifier(COLLECTOR) Rib rib) {
        rib.close();
    }
}
