package dev.silkroute.app.rpki;

import dev.silkroute.app.config.StationConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quarkus.runtime.StartupEvent;
import javax.sql.DataSource;

/** Validation as in a running station, which reads its VRPs again and stores their versions. */
public record RunningValidation(OriginValidation validation, VrpHistory history) implements AutoCloseable {
    public static RunningValidation start(StationConfig config, DataSource database) {
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        var running = new RunningValidation(new OriginValidation(config), new VrpHistory(database, config, meters));
        running.validation.start(new StartupEvent(), meters, running.history);
        return running;
    }

    @Override
    public void close() {
        validation.stop();
        history.stop();
    }
}
