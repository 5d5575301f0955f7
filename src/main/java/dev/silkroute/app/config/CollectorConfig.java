package dev.silkroute.app.config;

import dev.silkroute.app.config.ConfigKeys.Positive;
import dev.silkroute.bgp.AddPathPolicy;
import dev.silkroute.collector.gate.CertificateName;
import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.WithDefault;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** BMP sessions: listeners, access, names, limits, and decoding. Part of {@link StationConfig}. */
public interface CollectorConfig {
    @Description("Port for BMP sessions, 0 for any free port")
    @WithDefault("11019")
    int bmpPort();

    @Description("Address to accept BMP sessions on")
    @WithDefault("0.0.0.0")
    String bmpHost();

    @Description("Further addresses to accept BMP sessions on, over plain TCP or TLS:"
            + " `tcp://10.0.0.1:11020,tls://[2001:db8::10]:11021`; see"
            + " [several listeners](../how-to/tls-and-access.md#several-listeners)")
    Optional<String> bmpListeners();

    @Description(value = "Name of this collector in records and rows", defaultText = "the host name")
    Optional<String> collector();

    @Description("Names of routers by address or prefix: `192.0.2.0/24=edge,2001:db8::1=core`")
    Optional<String> routerNames();

    @Description("Which router may use a name that routers claim in their messages: `first-seen`, `pin` or"
            + " `configured-only`; see [names](../how-to/routers.md#names)")
    @WithDefault("first-seen")
    RouterNamePolicy routerNamePolicy();

    @Description("Maximum number of BMP sessions; further connections are rejected")
    @WithDefault("10000")
    @Positive
    int maxSessions();

    @Description("How long a message may stay incomplete without another byte before its session is closed. Between"
            + " messages a router may be silent for any time")
    @WithDefault("60s")
    @Positive
    Duration partialMessageTimeout();

    @Description(value = "Addresses and prefixes of routers that may connect", defaultText = "all")
    Optional<String> bmpAllow();

    @Description("Addresses and prefixes of load balancers, such as `10.0.0.0/24,2001:db8::5`. Their connections must"
            + " begin with a PROXY protocol header, which is rejected from all other addresses")
    Optional<String> proxyProtocolFrom();

    @Description("File with keys for TCP MD5 signatures (RFC 2385), a line `ADDRESS KEY` for each router, which other"
            + " users must not be able to read. Connections from these addresses must be signed. Linux only")
    Optional<Path> bmpMd5Keys();

    BmpTls bmpTls();

    BmpConnect bmpConnect();

    FreeSpace freeSpace();

    Quota quota();

    Session session();

    Sessions sessions();

    Decode decode();

    /** TLS for BMP sessions. */
    interface BmpTls {
        @Description("PEM file with the station's certificate chain. With it and its key, routers use BMP over TLS")
        Optional<Path> certificate();

        @Description("PEM file with the private key of the certificate")
        Optional<Path> key();

        @Description("PEM file of the authority that must have signed routers' certificates; without it routers need"
                + " no certificate")
        Optional<Path> clientCa();

        @Description(
                "Files with revocation lists of the authorities of routers' certificates, PEM or DER, separated by commas. With them every"
                        + " authority of a router's certificate needs one that has not expired")
        Optional<String> revocationLists();

        @Description("The part of a router's certificate that is its name: `san-dns` or `san-uri` (the first such"
                + " subject alternative name), `cn` (the common name), or `none`. Without that part it is rejected")
        @WithDefault("san-dns")
        CertificateName routerName();

        @Description(
                "Interval at which the files of `silkroute.bmp-tls` and `silkroute.bmp-md5-keys` are read again and loaded if they have"
                        + " changed")
        @WithDefault("1m")
        @Positive
        Duration reloadInterval();

        @Description("Whether routers may also connect without TLS")
        @WithDefault("false")
        boolean plainToo();

        @Description("How long a connection may take until its TLS handshake is complete")
        @WithDefault("10s")
        @Positive
        Duration handshakeTimeout();

        @Description("Threads that compute TLS handshakes, apart from those that read from routers")
        @WithDefault("2")
        @Positive
        int handshakeThreads();
    }

    /** Routers that listen for the station, which opens the connections. */
    interface BmpConnect {
        @Description("Addresses and ports of routers that listen for BMP stations, to which this station connects:"
                + " `198.51.100.1:11019,[2001:db8::1]:11019`; see"
                + " [routers that listen](../how-to/routers.md#routers-that-listen)")
        Optional<String> addresses();

        @Description("How long an attempt to connect may take")
        @WithDefault("10s")
        Duration timeout();

        @Description(
                "Longest time from the first failed attempt, or from the end of a connection, to the next attempt."
                        + " It doubles with each further failure; the actual time is a random part between its half and all of it")
        @WithDefault("5s")
        Duration retryDelay();

        @Description("Longest time between two attempts. After a connection that was open for so long, the delays begin"
                + " again")
        @WithDefault("1m")
        Duration maxRetryDelay();
    }

    /** The free space below which the station stops reading. */
    interface FreeSpace {
        @Description("Free space of the data directory below which the station stops reading from routers, so that the"
                + " bundled servers do not fail; 0: never")
        @WithDefault("256M")
        MemorySize pauseBelow();

        @Description("Free space above which it continues")
        @WithDefault("512M")
        MemorySize resumeAbove();

        @Description("How often free space is checked")
        @WithDefault("5s")
        @Positive
        Duration interval();
    }

    /**
     * The limits for the sessions of one source address together. By default, one address cannot exclude the others.
     */
    interface Quota {
        @Description(
                "Maximum number of sessions from one source address; further connections are rejected. This and the"
                        + " other quotas: [limits](../explanation/limits.md); 0 stands for no limit")
        @WithDefault("5000")
        int sessionsPerAddress();

        @Description("BMP messages from one source address; above the rate, reading pauses")
        @WithDefault("1000000")
        int messagesPerSecond();

        @Description("Bytes from one source address; above the rate, reading pauses")
        @WithDefault("256M")
        MemorySize bytesPerSecond();

        @Description(
                "Peer Up and Peer Down messages from one source address, in the mean of ten seconds; above the rate,"
                        + " reading pauses")
        @WithDefault("2000")
        int peerEventsPerSecond();

        @Description("Announcements and withdrawals from one source address, in the mean of ten seconds; above the"
                + " rate, reading pauses")
        @WithDefault("2000000")
        int routesPerSecond();

        @Description("How long the lanes may take to store records in PostgreSQL until addresses and sessions with more"
                + " than an equal share of what is not stored yet are slowed down, so that they do not delay the others;"
                + " 0s: they never are")
        @WithDefault("400ms")
        Duration storeDelay();
    }

    /** Bounds of one BMP session. */
    interface Session {
        @Description("Longest BMP message; a longer one ends its session. At most 1310720, so that a message fits into"
                + " a Kafka record")
        @WithDefault("1M")
        @Positive
        MemorySize maxMessageBytes();

        @Description(
                "Bytes of one session between socket and Kafka; above it, reading pauses and the router's TCP window"
                        + " closes")
        @WithDefault("4M")
        @Positive
        MemorySize maxHeldBytes();

        @Description("Size from which a batch is sent although earlier ones are not acknowledged; at most 1310720")
        @WithDefault("1M")
        @Positive
        MemorySize batchBytes();

        @Description("Maximum number of messages in a batch")
        @WithDefault("16384")
        @Positive
        int batchMessages();

        @Description("Maximum number of peers of one session")
        @WithDefault("20000")
        @Positive
        int maxPeers();

        @Description("Time without an announcement for a peer, view and family after which the table counts as complete"
                + " although the router has not sent End-of-RIB")
        @WithDefault("2m")
        @Positive
        Duration endOfRibAfterQuiet();

        @Description("Time after a Peer Up when all tables of the peer count as complete")
        @WithDefault("30m")
        @Positive
        Duration endOfRibAtLatest();

        @Description("Time in which a session sends at most 64 KiB after which it counts as having sent its tables"
                + " although the router has not sent End-of-RIB for all of them, so that another session can begin"
                + " (`silkroute.sessions.max-dumping`)")
        @WithDefault("2s")
        @Positive
        Duration dumpedAfterQuiet();

        @Description("Time after which a session counts as having sent its tables although it is still sending them, so"
                + " that another session can begin (`silkroute.sessions.max-dumping`)")
        @WithDefault("5m")
        @Positive
        Duration dumpedAtLatest();
    }

    /** Bounds of all BMP sessions together. */
    interface Sessions {
        @Description("Bytes of all sessions together between socket and Kafka")
        @WithDefault("128M")
        @Positive
        MemorySize maxHeldBytes();

        @Description(
                "Maximum number of messages of all sessions together that are decoded and not yet in Kafka, at least"
                        + " 2048; a small message may become a record of 1 KiB")
        @WithDefault("65536")
        @Positive
        int maxDecodedMessages();

        @Description("Maximum number of sessions that send their tables at the same time; others are accepted, and read"
                + " when it is their turn ([scaling](../how-to/scaling.md#many-table-dumps-at-once)). Tables of at most 64"
                + " KiB do not count; 0 for no limit")
        @WithDefault("32")
        int maxDumping();

        @Description("Virtual threads that process batches; each session is bound to one")
        @WithDefault("256")
        @Positive
        int threads();

        @Description("How often the metrics of single sessions refresh the list of sessions")
        @WithDefault("15s")
        @Positive
        Duration metricsInterval();

        @Description("Maximum number of routers with metrics of their own; `bmp_routers_omitted` counts the others")
        @WithDefault("1000")
        int metricsLimit();
    }

    /** Options for decoding UPDATE messages. */
    interface Decode {
        @Description("How the station determines whether routes carry path identifiers: `strict` (by the OPENs),"
                + " `heuristic` (by the OPENs, corrected by the routes), `force` (always); see"
                + " [ADR 9](../adr/0009-path-identifiers-by-evidence.md)")
        @WithDefault("heuristic")
        AddPathPolicy addPath();

        @Description("The same for single routers: `192.0.2.1=force,198.51.100.0/24=strict`")
        Optional<String> addPathRouters();

        @Description("Roles of peers whose sessions have no BGP Role (RFC 9234), by their AS:"
                + " `64500=provider,64501=customer`; `provider`, `customer`, `peer`, `rs` or `rs-client`, as the routers see"
                + " them. Needed to verify AS paths ([RPKI](../how-to/rpki.md#verify-as-paths-by-aspa))")
        Optional<String> neighborRoles();
    }
}
