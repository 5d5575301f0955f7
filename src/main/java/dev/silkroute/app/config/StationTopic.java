package dev.silkroute.app.config;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;

/** The topics of a station. The keys of a topic are below {@code silkroute.topic.} and its {@link #key}. */
public enum StationTopic {
    RAW("bmp.raw"),
    ROUTES("bmp.routes"),
    /** Contains the beginnings of all sessions and collectors. */
    PEERS("bmp.peers", Duration.ofDays(30)),
    STATS("bmp.stats"),
    MIRROR("bmp.mirror"),
    QUARANTINE("bmp.quarantine", Duration.ofDays(30)),
    /** Contains requests of writers to end sessions, so that routers send their tables again. */
    RESYNC("bmp.resync", Duration.ofDays(1)),
    /** Contains the owners of routers' names and the numbers of collectors: the newest record of each key. */
    IDENTITIES("bmp.identities"),
    JSON("bmp.routes.json"),
    WITHDRAWALS("bmp.withdrawals.json"),
    OPENBMP("openbmp.bmp_raw"),
    ALERTS("bmp.alerts", Duration.ofDays(30)),
    FLOWS("flows"),
    ENRICHED("flows.enriched");

    private final String defaultName;
    private final Duration defaultRetention;

    StationTopic(String defaultName) {
        this(defaultName, Duration.ofDays(7));
    }

    StationTopic(String defaultName, Duration defaultRetention) {
        this.defaultName = defaultName;
        this.defaultRetention = defaultRetention;
    }

    /** Returns the part of the topic's keys that identifies it, such as {@code raw}. */
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    public String defaultName() {
        return defaultName;
    }

    public Duration defaultRetention() {
        return defaultRetention;
    }

    /**
     * Returns whether the topic keeps the newest record of each key for ever. Such a topic has one partition, so that
     * all of its readers see the same order.
     */
    public boolean isCompacted() {
        return this == IDENTITIES;
    }

    /** Returns the topic's name in Kafka. */
    public String name(StationConfig config) {
        var settings = config.topic().each().get(this);
        return settings == null ? defaultName : settings.name().orElse(defaultName);
    }

    /** Returns the number of partitions that the topic is created with, and that the records of routers are in. */
    public int partitions(StationConfig config) {
        var settings = config.topic().each().get(this);
        var own = settings == null ? OptionalInt.empty() : settings.partitions();
        return own.orElse(isCompacted() ? 1 : config.topic().partitions());
    }

    /** Returns the numbers of partitions that the records of routers are in, by the names of the topics in Kafka. */
    public static Map<String, Integer> partitionsByName(StationConfig config) {
        var partitions = new TreeMap<String, Integer>();
        for (var topic : values()) {
            partitions.put(topic.name(config), topic.partitions(config));
        }
        return partitions;
    }

    /** Returns the names of all topics in Kafka. */
    public static Map<StationTopic, String> names(StationConfig config) {
        var names = new EnumMap<StationTopic, String>(StationTopic.class);
        for (var topic : values()) {
            names.put(topic, topic.name(config));
        }
        return names;
    }

    /** Returns whether the station uses the topic; those of packaged routes that are off are not created. */
    public boolean isUsed(StationConfig config) {
        var routes = config.routes();
        return switch (this) {
            case JSON -> routes.json().enabled();
            case WITHDRAWALS -> routes.withdrawals().enabled();
            case OPENBMP -> routes.openbmp().enabled();
            case ALERTS -> routes.alerts().enabled();
            case FLOWS, ENRICHED -> routes.flows().enabled();
            default -> true;
        };
    }
}
