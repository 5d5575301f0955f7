package dev.silkroute.app.collector;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** What the sessions of one source address may use together; 0 stands for no limit. */
@ConfigMapping(prefix = "silkroute.quota")
interface QuotaConfig {
    /** Sessions at the same time, by default half of all: one address cannot keep the others out. */
    @WithDefault("5000")
    int sessionsPerAddress();

    /** BMP messages per second. */
    @WithDefault("1000000")
    int messagesPerSecond();

    /** Bytes per second. */
    @WithDefault("268435456")
    int bytesPerSecond();

    /** Peer Up and Peer Down messages per second, in the mean of ten seconds. */
    @WithDefault("2000")
    int peerEventsPerSecond();
}
