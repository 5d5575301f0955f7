package dev.silkroute.app.config;

import dev.silkroute.bgp.AddPathPolicy;
import dev.silkroute.collector.gate.CertificateName;
import dev.silkroute.component.StaleTimeouts;
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
 * Configuration}) and injected into beans after that. {@code docs/reference/configuration.md} is generated from it.
 */
@ConfigMapping(prefix = "silkroute")
public interface StationConfig {
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

    @Description("Port of the API, 0 for any free port")
    @WithDefault("8080")
    int httpPort();

    @Description("Address to serve the API on")
    @WithDefault("127.0.0.1")
    String httpHost();

    @Description(
            value = "Port of health, metrics and the console, 0 for any free port",
            defaultText = "9000, or any free port if that is in use")
    OptionalInt managementPort();

    @Description("Address to serve health, metrics and the console on")
    @WithDefault("127.0.0.1")
    String managementHost();

    @Description("Directory for all data, kept across restarts")
    @WithDefault("data")
    Path dataDir();

    @Description("Free space that the data directory requires at the start")
    @WithDefault("512M")
    MemorySize minFreeSpace();

    FreeSpace freeSpace();

    @Description(value = "Bootstrap servers of a Kafka cluster", defaultText = "the bundled broker")
    Optional<String> kafkaBootstrap();

    @Description(value = "JDBC URL of a PostgreSQL database", defaultText = "the bundled server")
    Optional<String> jdbcUrl();

    @Description("File with the password for the JDBC URL, which other users must not be able to read")
    Optional<Path> jdbcPasswordFile();

    @Description("Directory with your routes, which replace packaged ones of the same name or add to them")
    Optional<Path> routesDir();

    @Description("Roles of this station: a list of `collector`, `writer`, `rib` and `api`, or `all`")
    @WithDefault("all")
    Roles roles();

    @Description("Log more, and the stack trace of a failed start")
    @WithDefault("false")
    boolean verbose();

    Log log();

    @Description("URL of the station that `status` and `lookup` query, used instead of the data directory")
    Optional<String> url();

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
    int maxSessions();

    @Description("How long a message may stay incomplete without another byte before its session is closed. Between"
            + " messages a router may be silent for any time")
    @WithDefault("60s")
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

    Quota quota();

    Session session();

    Sessions sessions();

    Decode decode();

    State state();

    Writer writer();

    History history();

    Current current();

    Store store();

    Rib rib();

    Changes changes();

    Names names();

    Rpki rpki();

    Alerts alerts();

    Live live();

    Flows flows();

    Tracing tracing();

    Http http();

    Birdwatcher birdwatcher();

    Routes routes();

    Withdrawals withdrawals();

    Statistics statistics();

    PeerEvents peerEvents();

    Mirror mirror();

    Quarantine quarantine();

    Maintenance maintenance();

    Reconcile reconcile();

    Twin twin();

    Pipeline pipeline();

    Management management();

    EmbeddedKafka embeddedKafka();

    @Description("Settings of Kafka's clients: `security.protocol`, `sasl.…` and `ssl.…`")
    Map<String, String> kafka();

    Topics topic();

    /** The station's log. */
    interface Log {
        @Description(
                "Format of the log: `text`, or `json` with [one object per line](../how-to/monitor.md#logs-as-json)")
        @WithDefault("text")
        LogFormat format();
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
        Duration interval();
    }

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
                "Files with revocation lists of these authorities, PEM or DER, separated by commas. With them every"
                        + " authority of a router's certificate needs one that has not expired")
        Optional<String> revocationLists();

        @Description("The part of a router's certificate that is its name: `san-dns` or `san-uri` (the first such"
                + " subject alternative name), `cn` (the common name), or `none`. Without that part it is rejected")
        @WithDefault("san-dns")
        CertificateName routerName();

        @Description(
                "Interval at which these files, and `silkroute.bmp-md5-keys`, are read again and loaded if they have"
                        + " changed")
        @WithDefault("1m")
        Duration reloadInterval();

        @Description("Whether routers may also connect without TLS")
        @WithDefault("false")
        boolean plainToo();

        @Description("How long a connection may take until its TLS handshake is complete")
        @WithDefault("10s")
        Duration handshakeTimeout();

        @Description("Threads that compute TLS handshakes, apart from those that read from routers")
        @WithDefault("2")
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
                + " 0: they never are")
        @WithDefault("700ms")
        Duration storeDelay();
    }

    /** Bounds of one BMP session. */
    interface Session {
        @Description("Longest BMP message; a longer one ends its session. At most 1310720, so that a message fits into"
                + " a Kafka record")
        @WithDefault("1M")
        MemorySize maxMessageBytes();

        @Description(
                "Bytes of one session between socket and Kafka; above it, reading pauses and the router's TCP window"
                        + " closes")
        @WithDefault("4M")
        MemorySize maxHeldBytes();

        @Description("Size from which a batch is sent although earlier ones are not acknowledged; at most 1310720")
        @WithDefault("1M")
        MemorySize batchBytes();

        @Description("Maximum number of messages in a batch")
        @WithDefault("16384")
        int batchMessages();

        @Description("Maximum number of peers of one session")
        @WithDefault("20000")
        int maxPeers();

        @Description("Time without an announcement for a peer, view and family after which the table counts as complete"
                + " although the router has not sent End-of-RIB")
        @WithDefault("2m")
        Duration endOfRibAfterQuiet();

        @Description("Time after a Peer Up when all tables of the peer count as complete")
        @WithDefault("30m")
        Duration endOfRibAtLatest();

        @Description("Time in which a session sends at most 64 KiB after which it counts as having sent its tables"
                + " although the router has not sent End-of-RIB for all of them, so that another session can begin"
                + " (`silkroute.sessions.max-dumping`)")
        @WithDefault("2s")
        Duration dumpedAfterQuiet();

        @Description("Time after which a session counts as having sent its tables although it is still sending them, so"
                + " that another session can begin (`silkroute.sessions.max-dumping`)")
        @WithDefault("5m")
        Duration dumpedAtLatest();
    }

    /** Bounds of all BMP sessions together. */
    interface Sessions {
        @Description("Bytes of all sessions together between socket and Kafka")
        @WithDefault("128M")
        MemorySize maxHeldBytes();

        @Description(
                "Maximum number of messages of all sessions together that are decoded and not yet in Kafka, at least"
                        + " 2048; a small message may become a record of 1 KiB")
        @WithDefault("65536")
        int maxDecodedMessages();

        @Description("Maximum number of sessions that send their tables at the same time; others are accepted, and read"
                + " when it is their turn ([scaling](../how-to/scaling.md#many-table-dumps-at-once)). Tables of at most 64"
                + " KiB do not count; 0 for no limit")
        @WithDefault("32")
        int maxDumping();

        @Description("Virtual threads that process batches; each session is bound to one")
        @WithDefault("256")
        int threads();

        @Description("How often the metrics of single sessions refresh the list of sessions")
        @WithDefault("15s")
        Duration meterInterval();

        @Description("Maximum number of routers with metrics of their own; `bmp_routers_omitted` counts the others")
        @WithDefault("1000")
        int meterLimit();
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
    }

    /** The current state of routes. */
    interface State {
        @Description("How long the routes of a disconnected router are kept")
        @WithDefault(StaleTimeouts.STALE_TEXT)
        Duration staleTimeout();

        @Description("How long the routes of a peer are kept that the router's new session has not mentioned")
        @WithDefault(StaleTimeouts.RESYNC_TEXT)
        Duration resyncTimeout();

        @Description("Maximum number of routes that one transaction purges")
        @WithDefault("5000")
        int batchSize();
    }

    /** The lanes that write to PostgreSQL. */
    interface Writer {
        @Description("After this time without a heartbeat, a writer's partitions are assigned to others (Kafka's"
                + " `session.timeout.ms`)")
        @WithDefault("10s")
        Duration sessionTimeout();

        @Description("How often the lag of the lanes is measured")
        @WithDefault("15s")
        Duration lagInterval();

        @Description("After this time without a report of a collector, its sessions count as lost and the routes of its"
                + " routers as stale. Only time in which the writer reads what Kafka has counts")
        @WithDefault("2m")
        Duration collectorTimeout();
    }

    /** The history of routes. */
    interface History {
        @Description("Consumers of the lane `history` in this station")
        @WithDefault("1")
        int consumers();

        @Description("How long announcements and withdrawals are kept; 0s keeps them for ever")
        @WithDefault("30d")
        Duration retention();

        @Description("Maximum time between two snapshots of all routes, or a quarter of the retention if that is"
                + " shorter")
        @WithDefault("7d")
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
        int consumers();
    }

    /** Caches of the writers. */
    interface Store {
        @Description("Attribute sets that are known to be in the database, 32 bytes each")
        @WithDefault("2000000")
        int rememberedAttributeSets();

        @Description("Peers whose database ids are cached")
        @WithDefault("100000")
        int rememberedPeers();

        @Description("Memory for filters of the routes of table dumps in progress, about 2 to 16 bytes a route; dumps"
                + " beyond it are merged, which takes longer")
        @WithDefault("64M")
        MemorySize dumpFilterBytes();
    }

    /** The RIB in memory. */
    interface Rib {
        @Description(
                value = "Memory of the RIB; routes beyond it are rejected and counted ([RIB](rib.md))",
                defaultText = "a third of the heap")
        Optional<MemorySize> memory();

        @Description("Parts of the RIB with a writer thread each")
        @WithDefault("1")
        int shards();

        @Description("Maximum number of tables, one for each peer, view and family")
        @WithDefault("1048576")
        int tables();

        @Description("Maximum number of routers, and of peers, with metrics of their own; `silkroute_rib_peers_omitted`"
                + " counts the other peers")
        @WithDefault("1000")
        int meterLimit();

        @Description("Minimum number of hidden routes that each batch purges")
        @WithDefault("1024")
        int purgeBatchSize();
    }

    /** The collector's own RIB, by which each event reports what it has changed. */
    interface Changes {
        @Description("Whether each event reports what it has changed ([RIB](rib.md))")
        @WithDefault("false")
        boolean enabled();

        @Description(value = "Memory of the collector's own RIB", defaultText = "a quarter of the heap")
        Optional<MemorySize> memory();
    }

    /** Alerts on routes. */
    interface Alerts {
        @Description("How long closed alerts are kept; 0s keeps them for ever")
        @WithDefault("400d")
        Duration retention();

        @Description(
                "File with the monitored prefixes, as BGPalerter's `prefixes.yml`" + " ([alerts](../how-to/alerts.md))")
        Optional<Path> rules();

        @Description("Interval at which the rules are read again if their file has changed"
                + " ([alerts](../how-to/alerts.md#change-the-rules))")
        @WithDefault("1m")
        Duration reloadInterval();

        @Description("Number of vantage points (a router and one of its peers) that must see a condition to raise an"
                + " alert")
        @WithDefault("1")
        int minVantagePoints();

        @Description("Number of vantage points that must have lost a prefix to raise an alert")
        @WithDefault("2")
        int minVisibilityLoss();

        @Description("Minimum time between two notifications of the same alert")
        @WithDefault("2h")
        Duration notificationInterval();

        @Description("Maximum number of routes that are evaluated, and of undecodable messages that are remembered;"
                + " `silkroute_alerts_omitted_total` counts announcements and messages beyond it")
        @WithDefault("200000")
        int maxRoutes();

        @Description("Maximum number of tables whose routes are counted for `monitorTables`;"
                + " `silkroute_alerts_omitted_total` counts announcements of further ones")
        @WithDefault("1000")
        int maxTables();

        @Description("Maximum number of routes in these tables together, each of which takes 11 to 22 bytes;"
                + " `silkroute_alerts_omitted_total` counts announcements beyond it")
        @WithDefault("5000000")
        int maxCountedRoutes();

        Webhook webhook();

        /** The HTTP endpoint that receives alerts. */
        interface Webhook {
            @Description("HTTP endpoint that receives the changes of alerts ([alerts](../how-to/alerts.md#notify))")
            Optional<String> url();

            @Description("Format of the requests: `alertmanager` or `slack`")
            @WithDefault("alertmanager")
            String format();

            @Description("File with a bearer token for the endpoint, which other users must not be able to read; read"
                    + " for each request")
            Optional<Path> tokenFile();

            @Description("How long a request may take")
            @WithDefault("10s")
            Duration timeout();

            @Description("How often a request that failed is sent again; after that, the change counts as failed")
            @WithDefault("5")
            int retries();

            @Description("Time to the first retry; it doubles with each further one, up to one minute")
            @WithDefault("1s")
            Duration retryDelay();

            @Description("Changes that were reported longer ago are not sent")
            @WithDefault("6h")
            Duration maxAge();

            @Description("URL at which recipients reach this station, for links from alerts to their evidence")
            Optional<String> stationUrl();
        }
    }

    /** The live stream. */
    interface Live {
        @Description(
                "Maximum number of subscribers of the [live stream](stream.md); further ones are answered with 503")
        @WithDefault("1000")
        int maxSubscribers();

        @Description("Maximum number of filters of one subscriber")
        @WithDefault("1000")
        int maxFilters();

        @Description(
                "Size of the messages that wait for one subscriber; what does not fit is missed, and reported as such")
        @WithDefault("256K")
        MemorySize queueBytes();

        @Description("Size of the route batches kept for subscribers that resume")
        @WithDefault("16M")
        MemorySize recentBytes();

        @Description("A subscriber that has not read, or answered pings, for so long is disconnected")
        @WithDefault("5m")
        Duration stallTimeout();
    }

    /** The HTTP port and the queries of the REST API. */
    interface Http {
        Tls tls();

        @Description(
                value = "Whether requests need a bearer token: `token` or `none`",
                defaultText = "`token` off loopback, with a token file or an OpenID Connect provider, else `none`")
        Optional<String> authentication();

        @Description(
                value = "File with the token, at least 16 characters, which other users must not be able to read",
                defaultText = "`client/http-token` in the data directory, created if missing")
        Optional<Path> tokenFile();

        Oidc oidc();

        /** An OpenID Connect provider. */
        interface Oidc {
            @Description("URL of an OpenID Connect provider whose access tokens are accepted as well as the station's"
                    + " token ([OpenID Connect](#openid-connect))")
            Optional<String> issuer();

            @Description("Audience that access tokens must be for, or several; required with an issuer")
            Optional<String> audience();

            @Description(
                    "Claims that access tokens must have, or contain if they are arrays: `groups=noc,department=net`")
            Optional<String> requiredClaims();
        }

        @Description("Names by which clients reach the station, besides IP addresses and `localhost`:"
                + " `silkroute.example.net,*.example.org`, or `*` for any")
        Optional<String> allowedHosts();

        @Description("Other origins whose pages may send requests, such as `https://portal.example.net`")
        Optional<String> allowedOrigins();

        @Description(
                "Maximum number of concurrent queries of the [REST API](rest.md); further ones are answered with 503")
        @WithDefault("8")
        int maxQueries();

        @Description("How long a query of the REST API may take")
        @WithDefault("10s")
        Duration queryTimeout();

        @Description("A client that does not read 64 KiB of a large answer for so long is disconnected")
        @WithDefault("60s")
        Duration stallTimeout();

        @Description("Directory with names of communities, as the"
                + " [looking glass](../how-to/looking-glass.md#names-of-communities) shows them")
        Optional<Path> communityNames();

        /** TLS on the HTTP port. */
        interface Tls {
            @Description("PEM file with the certificate chain of the HTTP port. With it and its key, the port uses TLS"
                    + " ([HTTPS](../how-to/tls-and-access.md#https)); commands trust this certificate")
            Optional<Path> certificate();

            @Description("PEM file with the private key of the certificate")
            Optional<Path> key();

            @Description("Interval at which both files are read again and loaded if they have changed")
            @WithDefault("1m")
            Duration reloadInterval();
        }
    }

    /** The API of birdwatcher. */
    interface Birdwatcher {
        @Description("Whether the station answers at `/birdwatcher/{router}` as birdwatcher does, for"
                + " [Alice-LG](../how-to/alice-lg.md)")
        @WithDefault("false")
        boolean enabled();
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
        Duration reloadInterval();
    }

    interface Tracing {
        @Description("URL of an OTLP receiver over HTTP, such as http://127.0.0.1:4318; without it, nothing is traced"
                + " ([traces](../how-to/monitor.md#traces))")
        Optional<String> otlpEndpoint();

        @Description("Share of the batches of routers that are traced, above 0 and at most 1")
        @WithDefault("0.001")
        double ratio();

        @Description("How long a request to the receiver may take")
        @WithDefault("10s")
        Duration timeout();
    }

    /** Route origin validation (RFC 6811). */
    interface Rpki {
        @Description(
                "File with VRPs, JSON or CSV as Routinator and rpki-client write it; routes then have `rpki_validity` in answers, topics, the live stream and flow records")
        Optional<Path> vrps();

        @Description("File with local exceptions to the VRPs (SLURM, RFC 8416)")
        Optional<Path> exceptions();

        @Description("Interval at which both files are read again if they have changed")
        @WithDefault("1m")
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
            Duration responseTimeout();

            @Description("How long the start waits for the first VRPs, so that alerts are not evaluated without them")
            @WithDefault("15s")
            Duration startTimeout();
        }
    }

    /** Flow records that are enriched with routes. */
    interface Flows {
        @Description("The RIB view whose routes are used, such as `loc-rib`")
        Optional<String> view();

        Http http();

        /** Flow records by HTTP. */
        interface Http {
            @Description("Maximum size of a request")
            @WithDefault("1M")
            MemorySize maxBytes();

            @Description("Maximum number of concurrent requests; a request that timed out counts until Kafka has"
                    + " responded")
            @WithDefault("8")
            int maxRequests();

            @Description("How long a request waits for Kafka")
            @WithDefault("10s")
            Duration timeout();
        }
    }

    /** Packaged routes that are off by default. */
    interface Routes {
        Json json();

        Withdrawals withdrawals();

        OpenBmp openbmp();

        Alerts alerts();

        Flows flows();

        /** Routes as JSON. */
        interface Json {
            @Description("Whether `bmp.routes.json` receives the events as JSON ([JSON](json.md))")
            @WithDefault("false")
            boolean enabled();
        }

        /** Withdrawals by the station as JSON. */
        interface Withdrawals {
            @Description("Whether `bmp.withdrawals.json` receives the withdrawals that the station has made"
                    + " ([JSON](json.md#bmpwithdrawalsjson))")
            @WithDefault("false")
            boolean enabled();
        }

        /** The format of OpenBMP. */
        interface OpenBmp {
            @Description("Whether `openbmp.bmp_raw` receives the messages with OpenBMP's header"
                    + " ([OpenBMP](openbmp.md))")
            @WithDefault("false")
            boolean enabled();
        }

        /** Alerts. */
        interface Alerts {
            @Description("Whether routes are compared with `silkroute.alerts.rules` ([alerts](../how-to/alerts.md))")
            @WithDefault("false")
            boolean enabled();
        }

        /** Flow records. */
        interface Flows {
            @Description("Whether flow records are enriched with routes ([flows](rib.md#flows))")
            @WithDefault("false")
            boolean enabled();
        }
    }

    /** Withdrawals that wait for Kafka. */
    interface Withdrawals {
        @Description("Maximum number of withdrawals that wait for Kafka; above it, no further routes are purged"
                + " ([state](../explanation/state.md#in-a-topic))")
        @WithDefault("1000000")
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
        Duration interval();

        @Description("Time from the start to the first comparison")
        @WithDefault("30s")
        Duration delay();

        @Description("Age above which a router's statistics are ignored")
        @WithDefault("1h")
        Duration maxAge();

        @Description("Age of a difference that raises the alarm")
        @WithDefault("15m")
        Duration alarmAfter();

        @Description("Maximum number of concurrent reads of the RIB for [digests](../how-to/high-availability.md);"
                + " further requests are answered with 503")
        @WithDefault("2")
        int maxReads();

        @Description("How long a comparison with PostgreSQL or the twin may wait for each of their answers")
        @WithDefault("2m")
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
        @Description("Number of connections")
        @WithDefault("4")
        int connections();

        @Description("How long a pipeline waits for a connection")
        @WithDefault("5s")
        Duration waitLimit();

        @Description("How long a pipeline may take")
        @WithDefault("30s")
        Duration timeout();
    }

    /** The console. */
    interface Management {
        @Description("File with the users of the [console](../how-to/hawtio.md)")
        Optional<Path> usersFile();
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
        int partitions();

        @Description(
                value = "Number of replicas of a new topic. With 3 or more, its `min.insync.replicas` is 2",
                defaultText = "3, or the number of brokers if fewer")
        OptionalInt replication();

        @Description(
                value = "How long a new topic keeps records",
                defaultText = "`7d`; `30d` for `peers` and `quarantine`")
        Optional<Duration> retention();

        @Description(
                "Bytes that each partition of a new topic keeps. Kafka deletes the oldest segments when either this"
                        + " or the retention time is reached")
        @WithDefault("10G")
        MemorySize retentionBytes();

        /** The settings of single topics that have any. */
        @WithParentName
        Map<StationTopic, Topic> each();
    }

    /** One topic; {@link StationTopic} has the defaults. */
    interface Topic {
        @Description("The topic's name in Kafka")
        Optional<String> name();

        @Description("Its number of partitions")
        OptionalInt partitions();

        @Description("Its number of replicas")
        OptionalInt replication();

        @Description("How long it keeps records")
        Optional<Duration> retention();

        @Description("Bytes that each of its partitions keeps")
        Optional<MemorySize> retentionBytes();

        @Description("Any topic setting of Kafka, such as `segment.bytes`")
        Map<String, String> config();
    }
}
