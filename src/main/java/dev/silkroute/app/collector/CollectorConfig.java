package dev.silkroute.app.collector;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import io.smallrye.config.WithName;
import java.time.Duration;
import java.util.Optional;

/** Settings of the collector. Sizes are in bytes. */
@ConfigMapping(prefix = "silkroute")
interface CollectorConfig {
    /** Name of this collector in records and rows; the host name by default. */
    Optional<String> collector();

    /** Routers' names by source address: {@code 192.0.2.0/24=edge,2001:db8::1=core}. */
    @WithName("router-names")
    @WithDefault("")
    Optional<String> routerNames();

    Decode decode();

    /** Maximum number of BMP sessions at the same time; further connections are refused. */
    @WithName("max-sessions")
    @WithDefault("10000")
    int maxSessions();

    /**
     * Comma-separated addresses and prefixes of load balancers, whose connections begin with a PROXY protocol header.
     */
    @WithName("proxy-protocol-from")
    @WithDefault("")
    Optional<String> proxyProtocolFrom();

    /** Comma-separated addresses and prefixes of routers that may connect; all if empty. */
    @WithName("bmp-allow")
    @WithDefault("")
    Optional<String> bmpAllow();

    @WithName("bmp-tls")
    Tls bmpTls();

    /** How long a message may stay incomplete without a further byte before its session ends. */
    @WithName("partial-message-timeout")
    @WithDefault("60s")
    Duration partialMessageTimeout();

    Session session();

    Sessions sessions();

    /** TLS; {@link dev.silkroute.app.config.BmpTls} has the certificate files. */
    interface Tls {
        /** Whether BMP without TLS is accepted as well. */
        @WithDefault("false")
        boolean plainToo();
    }

    /** How UPDATEs are decoded. */
    interface Decode {
        /** How the presence of path identifiers is determined: {@code strict}, {@code heuristic} or {@code force}. */
        @WithDefault("heuristic")
        String addPath();

        /** The same for single routers by source address: {@code 192.0.2.1=force,198.51.100.0/24=strict}. */
        @WithDefault("")
        Optional<String> addPathRouters();
    }

    /** Bounds of one BMP session. */
    interface Session {
        /** Longest BMP message; a longer one ends the session. */
        @WithDefault("1048576")
        int maxMessageBytes();

        /** Heap held by what is not yet acknowledged by Kafka, above which reading pauses. */
        @WithDefault("4194304")
        int maxHeldBytes();

        /** Bytes from which a batch is sent although earlier ones are unacknowledged. */
        @WithDefault("1048576")
        int batchBytes();

        /** Maximum number of messages in a batch. */
        @WithDefault("2048")
        int batchMessages();

        @WithDefault("20000")
        int maxPeers();

        /**
         * Time without an announcement for a peer, view and family after which the table counts as complete although
         * the router has not sent End-of-RIB.
         */
        @WithDefault("2m")
        Duration endOfRibAfterQuiet();

        /** Time after a Peer Up when all tables of the peer count as complete. */
        @WithDefault("30m")
        Duration endOfRibAtLatest();
    }

    /** Bounds of all BMP sessions together. */
    interface Sessions {
        @WithDefault("134217728")
        long maxHeldBytes();

        /** Virtual threads; each session is bound to one. */
        @WithDefault("256")
        int threads();

        /** Interval at which the metrics of single sessions refresh the list of sessions. */
        @WithDefault("15s")
        Duration meterInterval();
    }
}
