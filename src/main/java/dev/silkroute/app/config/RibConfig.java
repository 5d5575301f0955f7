package dev.silkroute.app.config;

import dev.silkroute.app.config.ConfigKeys.Positive;
import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.WithDefault;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * The RIB in memory, and what its routes are annotated with: validity of origins, labels, and names. Part of {@link
 * StationConfig}.
 */
public interface RibConfig {
    Rib rib();

    Changes changes();

    Names names();

    Rpki rpki();

    /** The RIB in memory. */
    interface Rib {
        @Description(
                value = "Memory of the RIB; routes beyond it are rejected and counted ([RIB](rib.md))",
                defaultText = "a third of the heap")
        @Positive
        Optional<MemorySize> memory();

        @Description(
                value = "Memory of the indexes by which queries find routes by values of their attributes, beside"
                        + " `silkroute.rib.memory`; an index that needs more is dropped, and queries test every route;"
                        + " 0: no indexes ([RIB](rib.md#queries))",
                defaultText = "a third of `silkroute.rib.memory`")
        Optional<MemorySize> indexMemory();

        @Description("Parts of the RIB with a writer thread each")
        @WithDefault("1")
        @Positive
        int shards();

        @Description("Maximum number of tables, one for each peer, view and family")
        @WithDefault("1048576")
        @Positive
        int tables();

        @Description("Maximum number of routers, and of peers, with metrics of their own; `silkroute_rib_peers_omitted`"
                + " counts the other peers")
        @WithDefault("1000")
        int metricsLimit();

        @Description("Minimum number of hidden routes that each batch purges")
        @WithDefault("1024")
        @Positive
        int purgeBatchSize();
    }

    /** The collector's own RIB, by which each event reports what it has changed. */
    interface Changes {
        @Description("Whether each event reports what it has changed ([RIB](rib.md))")
        @WithDefault("false")
        boolean enabled();

        @Description(value = "Memory of the collector's own RIB", defaultText = "a quarter of the heap")
        @Positive
        Optional<MemorySize> memory();
    }

    /** Labels and names from local files. */
    interface Names {
        @Description("CSV file with labels of routers and peers, such as site and role"
                + " ([labels and names](../how-to/names.md#label-routers-and-peers))")
        Optional<Path> labels();

        @Description("File with names of autonomous systems, lines or JSON"
                + " ([labels and names](../how-to/names.md#name-autonomous-systems))")
        Optional<Path> asNames();

        @Description("Interval at which both files are read again if they have changed")
        @WithDefault("1m")
        @Positive
        Duration reloadInterval();
    }

    /** Route origin validation (RFC 6811). */
    interface Rpki {
        @Description(
                "File with VRPs, JSON or CSV as Routinator and rpki-client write it; routes then have `rpki_validity` in answers, topics, the live stream and flow records")
        Optional<Path> vrps();

        @Description("File with local exceptions to the VRPs (SLURM, RFC 8416)")
        Optional<Path> exceptions();

        @Description("Interval at which the files of VRPs and exceptions are read again if they have changed")
        @WithDefault("1m")
        @Positive
        Duration reloadInterval();

        Versions versions();

        /** The versions of the VRPs in PostgreSQL. */
        interface Versions {
            @Description(
                    "Whether a writer with VRPs stores their versions, so that validity can be queried as of a time"
                            + " ([RPKI](../how-to/rpki.md#validity-as-of-a-time))")
            @WithDefault("true")
            boolean enabled();

            @Description("How long VRPs are kept after they were withdrawn; 0s keeps them for ever")
            @WithDefault("30d")
            Duration retention();

            @Description("Maximum number of withdrawn VRPs; above it, the oldest ones are deleted and validity at their"
                    + " times is unknown")
            @WithDefault("5000000")
            int maxWithdrawn();
        }

        Rtr rtr();

        /** VRPs by the RPKI-to-Router protocol. */
        interface Rtr {
            @Description("RTR caches (RFC 8210) that send VRPs, instead of `silkroute.rpki.vrps`, in the order of"
                    + " preference: `rtr1.example.net:3323,[2001:db8::1]:3323`; the default port is 323"
                    + " ([RPKI](../how-to/rpki.md#receive-vrps-by-rtr))")
            Optional<String> caches();

            @Description(
                    "How long a cache may take for a whole response to a query. To accept a connection, it has this"
                            + " time or 10 s, whichever is shorter")
            @WithDefault("2m")
            @Positive
            Duration responseTimeout();

            @Description("How long the start waits for the first VRPs, so that alerts are not evaluated without them")
            @WithDefault("15s")
            Duration startTimeout();
        }
    }
}
