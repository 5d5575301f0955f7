package dev.silkroute.app.collector;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import io.smallrye.config.WithName;
import java.time.Duration;
import java.util.Optional;

/** Settings of the collector. Sizes are in bytes. */
@ConfigMapping(prefix = "silkroute")
interface CollectorConfig {
    /** This station's name in records and rows; the host's name by default. */
    Optional<String> collector();

    /** Routers' names by source address: {@code 192.0.2.0/24=edge,2001:db8::1=core}. */
    @WithName("router-names")
    @WithDefault("")
    Optional<String> routerNames();

    Decode decode();

    /** BMP sessions at the same time; a further connection is refused. */
    @WithName("max-sessions")
    @WithDefault("10000")
    int maxSessions();

    /**
     * Addresses and prefixes of balancers, with commas between, whose connections begin with a PROXY protocol header.
     */
    @WithName("proxy-protocol-from")
    @WithDefault("")
    Optional<String> proxyProtocolFrom();

    /** Addresses and prefixes of routers that may connect; everybody if empty. */
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

    /** Its files are {@link dev.silkroute.app.config.BmpTls}. */
    interface Tls {
        /** Whether BMP is accepted without TLS beside BMP with it. */
        @WithDefault("false")
        boolean plainToo();
    }

    /** How UPDATEs are read. */
    interface Decode {
        /** Who decides whether NLRI carry path identifiers: {@code strict}, {@code heuristic} or {@code force}. */
        @WithDefault("heuristic")
        String addPath();

        /** The same for single routers, by source address: {@code 192.0.2.1=force,198.51.100.0/24=strict}. */
        @WithDefault("")
        Optional<String> addPathRouters();
    }

    /** Bounds of one BMP session. */
    interface Session {
        /** Longest BMP message; a longer one ends the session. */
        @WithDefault("1048576")
        int maxMessageBytes();

        /** Bytes read and not yet acknowledged by Kafka, above which reading pauses. */
        @WithDefault("4194304")
        int maxHeldBytes();

        /** Bytes after which a batch is sent although earlier ones are under way. */
        @WithDefault("1048576")
        int batchBytes();

        @WithDefault("20000")
        int maxPeers();

        /**
         * After so long without an announcement of a peer, view and family, its table counts as through without the
         * router's End-of-RIB.
         */
        @WithDefault("2m")
        Duration endOfRibAfterQuiet();

        /** So long after its Peer Up all tables of a peer count as through. */
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

        /** How often meters of single sessions are told which sessions there are. */
        @WithDefault("15s")
        Duration meterInterval();
    }
}
