package dev.silkroute.app.collector;

import dev.silkroute.app.config.ByteSize;
import dev.silkroute.app.config.CollectorConfig;
import dev.silkroute.app.config.OperatorError;
import dev.silkroute.app.config.StationConfig;
import dev.silkroute.app.meters.PeriodicTask;
import dev.silkroute.collector.transport.MemoryBudget;
import dev.silkroute.collector.transport.ReadingPause;
import dev.silkroute.component.MeterGroup;
import dev.silkroute.component.Metric;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jboss.logging.Logger;

/**
 * Stops reading from all routers while the data directory has little free space, before Kafka or PostgreSQL fail for
 * lack of it. Reading continues above a higher mark, so that it does not stop and continue all the time.
 */
@Singleton
final class FreeSpaceWatch {
    private static final Logger LOGGER = Logger.getLogger(FreeSpaceWatch.class);

    private final MemoryBudget reading;
    private final CollectorConfig.FreeSpace config;
    private final Path directory;
    private final long pauseBelow;
    private final long resumeAbove;
    private final PeriodicTask checks = new PeriodicTask("free space", "silkroute-free-space", this::check);
    private volatile long free = -1;

    FreeSpaceWatch(MemoryBudget reading, StationConfig station) {
        this.reading = reading;
        config = station.freeSpace();
        directory = station.dataDir();
        pauseBelow = config.pauseBelow().asLongValue();
        resumeAbove = config.resumeAbove().asLongValue();
        if (resumeAbove < pauseBelow) {
            throw new OperatorError("silkroute.free-space.resume-above is less than silkroute.free-space.pause-below");
        }
    }

    void start(@Observes StartupEvent event, MeterRegistry meters) {
        new MeterGroup<>(meters, reading).gauge(Metric.BMP_READING_PAUSED, budget -> budget.isPaused() ? 1 : 0);
        if (pauseBelow > 0) {
            new MeterGroup<>(meters, this).gauge(Metric.DATA_DIRECTORY_FREE, watch -> watch.free);
            checks.start(config.interval());
        }
    }

    private void check() throws IOException {
        check(directory, () -> Files.getFileStore(directory).getUsableSpace());
    }

    /** Compares free space with the marks. */
    void check(Path path, SpaceOf space) throws IOException {
        long now = space.bytes();
        free = now;
        if (!reading.isPaused(ReadingPause.FREE_SPACE) && now < pauseBelow) {
            reading.pause(ReadingPause.FREE_SPACE);
            LOGGER.warnf(
                    "Stopped reading from all routers: %s has %s of free space, less than %s"
                            + " (silkroute.free-space.pause-below). It continues above %s",
                    path, ByteSize.text(now), ByteSize.text(pauseBelow), ByteSize.text(resumeAbove));
        } else if (reading.isPaused(ReadingPause.FREE_SPACE) && now > resumeAbove) {
            reading.resume(ReadingPause.FREE_SPACE);
            LOGGER.infof("Reading from routers again: %s has %s of free space", path, ByteSize.text(now));
        }
    }

    /** Measures free space, in bytes. */
    interface SpaceOf {
        long bytes() throws IOException;
    }

    @PreDestroy
    void stop() {
        checks.close();
    }
}
