package dev.silkroute.app.live;

import dev.silkroute.app.config.OutputConfig;
import dev.silkroute.app.config.StationConfig;
import dev.silkroute.live.LiveLimits;
import dev.silkroute.live.LiveStream;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.util.UUID;

/** Creates the live stream. */
@Singleton
final class LiveBeans {
    private static final int ID_LENGTH = 8;

    @Produces
    @Singleton
    LiveStream stream(StationConfig config) {
        OutputConfig.Live live = config.live();
        String id = UUID.randomUUID().toString().substring(0, ID_LENGTH);
        return new LiveStream(
                id,
                new LiveLimits(
                        live.maxSubscribers(),
                        live.maxFilters(),
                        Math.toIntExact(live.queueBytes().asLongValue()),
                        live.recentBytes().asLongValue()));
    }
}
