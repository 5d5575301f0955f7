package dev.silkroute.app.collector;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** When the station stops reading because its disk is almost full. */
@ConfigMapping(prefix = "silkroute.free-space")
interface FreeSpaceConfig {
    /** Free space below which reading stops, such as {@code 256M}; 0: never. */
    @WithDefault("256M")
    String pauseBelow();

    /** Free space above which reading continues. */
    @WithDefault("512M")
    String resumeAbove();

    @WithDefault("5s")
    Duration interval();
}
