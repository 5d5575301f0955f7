package dev.silkroute.app.rib;

import dev.silkroute.app.config.ByteSize;
import dev.silkroute.rib.Rib;
import dev.silkroute.rib.RibConfig;
import io.quarkus.arc.Unremovable;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.util.Optional;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Makes the RIB, as large as it may become: by default a third of the heap. */
@Singleton
final class RibBeans {
    private static final int SHARE_OF_HEAP = 3;

    @Produces
    @Singleton
    @Named("rib")
    @Unremovable
    Rib rib(
            @ConfigProperty(name = "silkroute.rib.memory") Optional<String> memory,
            @ConfigProperty(name = "silkroute.rib.shards", defaultValue = "1") int shards,
            @ConfigProperty(name = "silkroute.rib.tables", defaultValue = "1048576") int tables,
            @ConfigProperty(name = "silkroute.rib.slice", defaultValue = "1024") int slice) {
        long bytes = memory.map(ByteSize::parse).orElse(Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP);
        return new Rib(new RibConfig(shards, bytes, tables, slice));
    }

    void close(@Disposes Rib rib) {
        rib.close();
    }
}
