package dev.silkroute.app.rpki;

import dev.silkroute.app.config.StationConfig;
import dev.silkroute.app.meters.PeriodicTask;
import dev.silkroute.component.MeterGroup;
import dev.silkroute.component.Metric;
import dev.silkroute.net.IpPrefix;
import dev.silkroute.rpki.Validity;
import dev.silkroute.rpki.VrpTable;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The validity of routes by the configured VRPs ({@code silkroute.rpki.vrps}); without VRPs there is none. Thread-safe.
 */
@Singleton
public final class OriginValidation {
    private final StationConfig.Rpki config;
    private final @Nullable VrpFiles files;
    private @Nullable PeriodicTask reloading;

    @Inject
    public OriginValidation(StationConfig config) {
        this.config = config.rpki();
        files = this.config
                .vrps()
                .map(vrps -> new VrpFiles(vrps, this.config.exceptions()))
                .orElse(null);
    }

    void start(@Observes StartupEvent event, MeterRegistry meters) {
        VrpFiles source = files;
        if (source == null) {
            return;
        }
        new MeterGroup<>(meters, source)
                .gauge(Metric.RPKI_VRPS, used -> used.table().size())
                .gauge(Metric.RPKI_WRITTEN, used -> used.writtenAtMillis() / 1e3);
        source.reload();
        reloading = new PeriodicTask("VRPs", "rpki", source::reload);
        reloading.start(config.reloadInterval());
    }

    /** Returns the newest VRPs, which are an object of their own after each load; empty without VRPs. */
    public VrpTable vrps() {
        return files == null ? VrpTable.EMPTY : files.table();
    }

    /** Reads the VRPs once, for a command. */
    public OriginValidation load() {
        if (files != null) {
            files.reload();
        }
        return this;
    }

    @PreDestroy
    void stop() {
        if (reloading != null) {
            reloading.close();
        }
    }

    /**
     * Returns the validity of a unicast route, or nothing if no VRPs are loaded.
     *
     * @param origin the last AS of the path; empty if the path is empty or ends with a set
     */
    public Optional<Validity> validity(IpPrefix prefix, OptionalLong origin) {
        VrpTable table = vrps();
        if (table.size() == 0) {
            return Optional.empty();
        }
        return Optional.of(
                origin.isPresent()
                        ? table.validate(prefix, (int) origin.getAsLong())
                        : table.validateWithoutOrigin(prefix));
    }
}
