package dev.silkroute.app.config;

import dev.silkroute.app.config.ConfigKeys.Positive;
import dev.silkroute.component.StaleTimeouts;
import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.WithDefault;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * PostgreSQL: the lanes that write, the current state, the history, how long rows are kept, and their comparison.
 * Part of {@link StationConfig}.
 */
public interface StorageConfig {
    @Description(value = "JDBC URL of a PostgreSQL database", defaultText = "the bundled server")
    Optional<String> jdbcUrl();

    @Description("File with the password for the JDBC URL, which other users must not be able to read")
    Optional<Path> jdbcPasswordFile();

    State state();

    Writer writer();

    History history();

    Current current();

    Store store();

    Withdrawals withdrawals();

    Statistics statistics();

    PeerEvents peerEvents();

    Mirror mirror();

    Quarantine quarantine();

    Maintenance maintenance();

    Reconcile reconcile();

    Twin twin();

    Pipeline pipeline();

    /** The current state of routes. */
    interface State {
        @Description("How long the routes of a disconnected router are kept")
        @WithDefault(StaleTimeouts.STALE_TEXT)
        @Positive
        Duration staleTimeout();

        @Description("How long the routes of a peer are kept that the router's new session has not mentioned")
        @WithDefault(StaleTimeouts.RESYNC_TEXT)
        @Positive
        Duration resyncTimeout();

        @Description("Maximum number of routes that one transaction purges")
        @WithDefault("5000")
        @Positive
        int batchSize();
    }

    /** The lanes that write to PostgreSQL. */
    interface Writer {
        @Description("After this time without a heartbeat, a writer's partitions are assigned to others (Kafka's"
                + " `session.timeout.ms`)")
        @WithDefault("10s")
        @Positive
        Duration sessionTimeout();

        @Description("How often the lag of the lanes is measured")
        @WithDefault("15s")
        @Positive
        Duration lagInterval();

        @Description("After this time without a report of a collector, its sessions count as lost and the routes of its"
                + " routers as stale. Only time in which the writer reads what Kafka has counts")
        @WithDefault("2m")
        @Positive
        Duration collectorTimeout();
    }

    /** The history of routes. */
    interface History {
        @Description("Consumers of the lane `history` in this station")
        @WithDefault("1")
        @Positive
        int consumers();

        @Description("How long announcements and withdrawals are kept; 0s keeps them for ever")
        @WithDefault("30d")
        Duration retention();

        @Description("Maximum time between two snapshots of all routes, or a quarter of the retention if that is"
                + " shorter")
        @WithDefault("7d")
        @Positive
        Duration snapshotInterval();

        @Description("How long after its end (midnight, UTC) a day counts as complete")
        @WithDefault("1h")
        Duration closeAfter();

        @Description(
                "Number of events of a day that is not over after which the index on their prefix is built, and built"
                        + " again; 0 builds none before the day is over")
        @WithDefault("100000")
        long indexAfter();
    }

    /** The lane that merges events into the current state. */
    interface Current {
        @Description("Consumers of the lane `current` in this station")
        @WithDefault("1")
        @Positive
        int consumers();
    }

    /** Caches of the writers. */
    interface Store {
        @Description("Attribute sets that are known to be in the database, 32 bytes each")
        @WithDefault("2000000")
        @Positive
        int rememberedAttributeSets();

        @Description("Peers whose database ids are cached")
        @WithDefault("100000")
        @Positive
        int rememberedPeers();

        @Description("Memory for filters of the routes of table dumps in progress, about 2 to 16 bytes a route; dumps"
                + " beyond it are merged, which takes longer")
        @WithDefault("64M")
        MemorySize dumpFilterBytes();
    }

    /** Withdrawals that wait for Kafka. */
    interface Withdrawals {
        @Description("Maximum number of withdrawals that wait for Kafka; above it, no further routes are purged"
                + " ([state](../explanation/state.md#in-a-topic))")
        @WithDefault("1000000")
        @Positive
        int maxPending();
    }

    /** Statistics Reports. */
    interface Statistics {
        @Description("How long Statistics Reports are kept; 0s keeps them for ever")
        @WithDefault("30d")
        Duration retention();
    }

    /** Events of peers and sessions. */
    interface PeerEvents {
        @Description("How long events of peers and sessions are kept; 0s keeps them for ever. `rib_at` needs them for"
                + " `stale`")
        @WithDefault("400d")
        Duration retention();
    }

    /** Mirrored messages. */
    interface Mirror {
        @Description("How long mirrored messages are kept; 0s keeps them for ever")
        @WithDefault("7d")
        Duration retention();
    }

    /** Undecodable input. */
    interface Quarantine {
        @Description("How long quarantined messages are kept; 0s keeps them for ever")
        @WithDefault("90d")
        Duration retention();
    }

    /** Maintenance of the tables. */
    interface Maintenance {
        @Description("Whether this station maintains the tables")
        @WithDefault("true")
        boolean enabled();

        @Description("Time between two runs of the maintenance")
        @WithDefault("1m")
        @Positive
        Duration interval();

        @Description("Time from the start to the first run")
        @WithDefault("10s")
        Duration delay();
    }

    /** Comparison of the routes with the routers' own counts. */
    interface Reconcile {
        @Description("Whether this station compares the routes with the routers' statistics")
        @WithDefault("true")
        boolean enabled();

        @Description("Time between two comparisons; each reads the current state once")
        @WithDefault("5m")
        @Positive
        Duration interval();

        @Description("Time from the start to the first comparison")
        @WithDefault("30s")
        Duration delay();

        @Description("Age above which a router's statistics are ignored")
        @WithDefault("1h")
        @Positive
        Duration maxAge();

        @Description("Age of a difference that raises the alarm")
        @WithDefault("15m")
        Duration alarmAfter();

        @Description("Maximum number of concurrent reads of the RIB for [digests](../how-to/high-availability.md);"
                + " further requests are answered with 503")
        @WithDefault("2")
        @Positive
        int maxReads();

        @Description("How long a comparison with PostgreSQL or the twin may wait for each of their answers")
        @WithDefault("2m")
        @Positive
        Duration timeout();
    }

    /** The twin, another station whose RIB should be the same. */
    interface Twin {
        @Description("URL of the [twin station](../how-to/high-availability.md), `http://HOST:PORT`")
        Optional<String> httpUrl();

        @Description("File with the bearer token of the twin's REST API, which other users must not be able to read;"
                + " read for each request")
        Optional<Path> tokenFile();
    }

    /** The pool of pipelined database connections. */
    interface Pipeline {
        @Description("Number of connections to PostgreSQL that pipelines share ([`pgpipe:`](pgpipe.md))")
        @WithDefault("4")
        @Positive
        int connections();

        @Description("How long a pipeline waits for one of these connections")
        @WithDefault("5s")
        @Positive
        Duration waitLimit();

        @Description("How long a pipeline, the statements that are sent in one round trip, may take")
        @WithDefault("30s")
        @Positive
        Duration timeout();
    }
}
