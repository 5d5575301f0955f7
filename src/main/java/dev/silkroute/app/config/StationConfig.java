package dev.silkroute.app.config;

import dev.silkroute.app.config.ConfigKeys.Positive;
import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import io.smallrye.config.WithParentName;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * All keys of the station, below {@code silkroute.}. The same mapping is built before Quarkus starts ({@link
 * Configuration}) and injected into beans after that. {@code docs/reference/configuration.md} is generated from it. It
 * has the keys of the process and of Kafka itself; the interfaces that it extends have those of one subject each.
 */
@ConfigMapping(prefix = "silkroute")
public interface StationConfig extends CollectorConfig, StorageConfig, RibConfig, OutputConfig, HttpConfig {
    @Description("Directory for all data, kept across restarts")
    @WithDefault("data")
    Path dataDir();

    @Description("Free space that the data directory requires at the start")
    @WithDefault("512M")
    MemorySize minFreeSpace();

    @Description("Directory with your routes, which replace packaged ones of the same name or add to them")
    Optional<Path> routesDir();

    @Description("Roles of this station: a list of `collector`, `writer`, `rib` and `api`, or `all`")
    @WithDefault("all")
    Roles roles();

    @Description("Log more, and the stack trace of a failed start")
    @WithDefault("false")
    boolean verbose();

    Log log();

    @Description(
            "URL of the station that `status`, `lookup` and other commands query, used instead of the data directory")
    Optional<String> url();

    @Description(value = "Bootstrap servers of a Kafka cluster", defaultText = "the bundled broker")
    Optional<String> kafkaBootstrap();

    @Description("Settings of Kafka's clients: `security.protocol`, `sasl.…` and `ssl.…`")
    Map<String, String> kafka();

    EmbeddedKafka embeddedKafka();

    Topics topic();

    /** The station's log. */
    interface Log {
        @Description(
                "Format of the log: `text`, or `json` with [one object per line](../how-to/monitor.md#logs-as-json)")
        @WithDefault("text")
        LogFormat format();
    }

    /** The bundled Kafka. */
    interface EmbeddedKafka {
        @Description("JVM options of the bundled Kafka, separated by spaces; its heap is 256 MiB by default")
        Optional<String> javaOpts();
    }

    /** The station's topics, and what applies to all of them. */
    interface Topics {
        @Description(
                "Number of partitions of a new topic. If it has more by now, the records of routers are in this many"
                        + " ([partitions](../how-to/scaling.md#partitions))")
        @WithDefault("12")
        @Positive
        int partitions();

        @Description(
                value = "Number of replicas of a new topic. With 3 or more, its `min.insync.replicas` is 2",
                defaultText = "3, or the number of brokers if fewer")
        @Positive
        OptionalInt replication();

        @Description(
                value = "How long a new topic keeps records",
                defaultText = "`7d`; `30d` for `peers` and `quarantine`")
        @Positive
        Optional<Duration> retention();

        @Description(
                "Bytes that each partition of a new topic keeps. Kafka deletes the oldest segments when either this"
                        + " or the retention time is reached")
        @WithDefault("10G")
        @Positive
        MemorySize retentionBytes();

        /** The settings of single topics that have any. */
        @WithParentName
        Map<StationTopic, Topic> each();
    }

    /** One topic; {@link StationTopic} has the defaults. */
    interface Topic {
        @Description("The topic's name in Kafka")
        Optional<String> name();

        @Description("Number of partitions of the topic")
        @Positive
        OptionalInt partitions();

        @Description("Number of replicas of the topic")
        @Positive
        OptionalInt replication();

        @Description("How long the topic keeps records")
        @Positive
        Optional<Duration> retention();

        @Description("Bytes that each partition of the topic keeps")
        @Positive
        Optional<MemorySize> retentionBytes();

        @Description("Any topic setting of Kafka, such as `segment.bytes`")
        Map<String, String> config();
    }
}
