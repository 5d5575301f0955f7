package dev.silkroute.app.names;

import dev.silkroute.app.config.ReloadedFile;
import dev.silkroute.app.config.RibConfig;
import dev.silkroute.app.config.StationConfig;
import dev.silkroute.app.meters.PeriodicTask;
import dev.silkroute.component.MeterGroup;
import dev.silkroute.component.Metric;
import dev.silkroute.names.AsNameFile;
import dev.silkroute.names.AsNameSource;
import dev.silkroute.names.AsNames;
import dev.silkroute.names.LabelFile;
import dev.silkroute.names.LabelSource;
import dev.silkroute.names.Labels;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.arc.Unremovable;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.camel.spi.Metadata;
import org.jspecify.annotations.Nullable;

/**
 * The labels and names of the configured files, {@code silkroute.names.labels} and {@code silkroute.names.as-names};
 * none without a file. Thread-safe.
 */
@Singleton
@Named("names")
@Metadata(
        description =
                "The configured labels of routers and peers and names of autonomous systems: option labels of bmp:json, option names of rib:enrich")
@Unremovable
public final class ConfiguredNames implements AsNameSource, LabelSource {
    private final RibConfig.Names config;
    private final Optional<ReloadedFile<Labels>> labels;
    private final Optional<ReloadedFile<AsNames>> asNames;
    private @Nullable PeriodicTask reloading;

    @Inject
    public ConfiguredNames(StationConfig config) {
        this.config = config.names();
        labels = this.config
                .labels()
                .map(file -> new ReloadedFile<>(
                        "labels of routers and peers",
                        file,
                        (read, _) -> LabelFile.read(read),
                        Labels.NONE,
                        Labels::size));
        asNames = this.config
                .asNames()
                .map(file -> new ReloadedFile<>(
                        "AS names", file, (read, _) -> AsNameFile.read(read), AsNames.NONE, AsNames::size));
    }

    void start(@Observes StartupEvent event, MeterRegistry meters) {
        register(meters, "labels", labels);
        register(meters, "as-names", asNames);
        reload();
        if (labels.isPresent() || asNames.isPresent()) {
            reloading = new PeriodicTask("labels and names", "names", this::reload);
            reloading.start(config.reloadInterval());
        }
    }

    private static <T> void register(MeterRegistry meters, String name, Optional<ReloadedFile<T>> file) {
        file.ifPresent(used -> new MeterGroup<>(meters, used, "file", name)
                .gauge(Metric.NAMES_ENTRIES, ReloadedFile::size)
                .gauge(Metric.NAMES_WRITTEN, each -> each.writtenMillis() / 1e3));
    }

    private void reload() {
        Stream.of(labels, asNames).flatMap(Optional::stream).forEach(ReloadedFile::reload);
    }

    /** Returns the newest labels. */
    public Labels labels() {
        return labels.map(ReloadedFile::content).orElse(Labels.NONE);
    }

    /** Returns the newest names of autonomous systems. */
    public AsNames asNames() {
        return asNames.map(ReloadedFile::content).orElse(AsNames.NONE);
    }

    @Override
    public Map<String, String> labelsOf(String router, String peer) {
        return labels().ofPeer(router, peer);
    }

    @Override
    public Optional<String> nameOf(long asn) {
        return asNames().of(asn);
    }

    @PreDestroy
    void stop() {
        if (reloading != null) {
            reloading.close();
        }
    }
}
