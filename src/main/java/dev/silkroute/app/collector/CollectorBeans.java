package dev.silkroute.app.collector;

import dev.silkroute.app.config.CollectorConfig;
import dev.silkroute.app.config.KafkaAccess;
import dev.silkroute.app.config.OperatorError;
import dev.silkroute.app.config.RouterNamePolicy;
import dev.silkroute.app.config.StationConfig;
import dev.silkroute.app.config.StationTopic;
import dev.silkroute.bgp.AddPathPolicy;
import dev.silkroute.bgp.NeighborRole;
import dev.silkroute.bmp.BmpMessages;
import dev.silkroute.collector.gate.ConnectionGate;
import dev.silkroute.collector.sessions.DecodeCounters;
import dev.silkroute.collector.sessions.DumpLimits;
import dev.silkroute.collector.sessions.OpenSession;
import dev.silkroute.collector.sessions.QuotaLimits;
import dev.silkroute.collector.sessions.SessionRegistry;
import dev.silkroute.collector.sockets.BmpAcceptor;
import dev.silkroute.collector.transport.BmpReaders;
import dev.silkroute.collector.transport.ConnectionHandlers;
import dev.silkroute.collector.transport.MemoryBudget;
import dev.silkroute.collector.transport.ReceiveClock;
import dev.silkroute.collector.transport.SessionLimits;
import dev.silkroute.collector.turns.NameOwners;
import dev.silkroute.collector.turns.TurnQueue;
import dev.silkroute.component.bmp.BatchCompletionPolicyFactory;
import dev.silkroute.component.bmp.BmpFrames;
import dev.silkroute.component.bmp.DecodingSlots;
import dev.silkroute.net.IpPrefix;
import dev.silkroute.session.CollectorStart;
import dev.silkroute.session.SessionConfig;
import dev.silkroute.session.TableDumpLimits;
import dev.silkroute.session.identity.RouterIdentifier;
import dev.silkroute.session.identity.RouterValues;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.DefaultEventExecutorGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutorGroup;
import io.quarkus.arc.Unremovable;
import io.quarkus.runtime.configuration.MemorySize;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.camel.spi.Metadata;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * The beans that {@code collector.camel.yaml} refers to, made from {@link StationConfig}; invalid settings fail the
 * start.
 */
final class CollectorBeans {
    private static final int CONFIRMATIONS = 24;
    private static final Duration MIN_CONFIRMATION = Duration.ofSeconds(1);
    private static final Duration MAX_CONFIRMATION = Duration.ofHours(1);

    @Produces
    @Singleton
    @Unremovable
    SessionRegistry sessions(StationConfig config) {
        var quota = config.quota();
        return new SessionRegistry(
                config.maxSessions(),
                new QuotaLimits(
                        quota.sessionsPerAddress(),
                        quota.messagesPerSecond(),
                        quota.bytesPerSecond().asLongValue(),
                        quota.peerEventsPerSecond(),
                        quota.routesPerSecond()),
                quota.storeDelay(),
                new DumpLimits(
                        config.sessions().maxDumping(),
                        config.session().dumpedAfterQuiet(),
                        config.session().dumpedAtLatest()));
    }

    @Produces
    @Singleton
    @Unremovable
    TurnQueue turns(StationConfig config, Instance<IdentityTopic> identities) {
        return new TurnQueue(
                config.routerNamePolicy() == RouterNamePolicy.CONFIGURED_ONLY
                        ? NameOwners.ANY
                        // Resolved by the first session: metrics of stations that collect nothing use the queue too.
                        : (identity, address) -> identities.get().names().claim(identity, address));
    }

    /** With the policy first-seen, names that no session has confirmed for the stale timeout are free. */
    @Produces
    @Singleton
    IdentityTopic identities(StationConfig config, KafkaAccess kafka, SessionRegistry sessions) {
        Duration timeout = config.state().staleTimeout();
        Duration interval = confirmationInterval(timeout);
        boolean isPinned = config.routerNamePolicy() == RouterNamePolicy.PIN;
        IdentityTopic topic = new IdentityTopic(
                kafka,
                StationTopic.IDENTITIES.name(config),
                isPinned ? Long.MAX_VALUE : timeout.dividedBy(interval) + 1);
        topic.load(name(config));
        topic.follow(
                interval,
                () -> sessions.all().stream()
                        .filter(session -> session.decoder() != null)
                        .map(session -> Map.entry(session.router(), session.address()))
                        .iterator());
        return topic;
    }

    void stop(@Disposes IdentityTopic identities) {
        identities.close();
    }

    /** Returns how often the names of connected routers are confirmed. */
    static Duration confirmationInterval(Duration staleTimeout) {
        Duration part = staleTimeout.dividedBy(CONFIRMATIONS);
        return part.compareTo(MIN_CONFIRMATION) < 0
                ? MIN_CONFIRMATION
                : part.compareTo(MAX_CONFIRMATION) > 0 ? MAX_CONFIRMATION : part;
    }

    @Produces
    @Singleton
    @Unremovable
    DecodeCounters counters() {
        return new DecodeCounters();
    }

    @Produces
    @Singleton
    @Unremovable
    MemoryBudget budget(StationConfig config) {
        long bound = config.sessions().maxHeldBytes().asLongValue();
        return new MemoryBudget(
                bound,
                Math.max(bound / 4, 2L * config.session().maxMessageBytes().asLongValue()));
    }

    @Produces
    @Singleton
    @Unremovable
    DecodingSlots decodingSlots(StationConfig config) {
        return new DecodingSlots(atLeast(
                "silkroute.sessions.max-decoded-messages", config.sessions().maxDecodedMessages(), DecodingSlots.MIN));
    }

    @Produces
    @Singleton
    @Unremovable
    BatchCompletionPolicyFactory completion() {
        return new BatchCompletionPolicyFactory();
    }

    /** The threads on which sessions' exchanges run. They are virtual, because they mostly wait for Kafka. */
    @Produces
    @Singleton
    @Named("bmpThreads")
    @Metadata(description = "The threads on which the exchanges of BMP sessions run; they are virtual")
    @Unremovable
    EventExecutorGroup threads(StationConfig config) {
        return new DefaultEventExecutorGroup(
                config.sessions().threads(),
                Thread.ofVirtual().name("bmp-session-", 0).factory());
    }

    void stop(@Disposes @Named("bmpThreads") EventExecutorGroup threads) {
        threads.shutdownGracefully();
    }

    @Produces
    @Singleton
    @Named("bmpAcceptor")
    @Metadata(description = "The event loop that accepts the connections of routers: option bossGroup of netty:")
    @Unremovable
    BmpAcceptor acceptor(RouterKeys keys) {
        return keys.follow(
                loaded -> new BmpAcceptor(keys.transport(), new DefaultThreadFactory("bmp-acceptor", true), loaded));
    }

    void stopAcceptor(@Disposes @Named("bmpAcceptor") BmpAcceptor threads) {
        threads.shutdownGracefully();
    }

    /** Depends on the collector's start, whose id must be smaller than those of connections. */
    @Produces
    @Singleton
    @Named("bmpReaders")
    @Metadata(description = "The event loops that read from the connections of routers: option workerGroup of netty:")
    @Unremovable
    EventLoopGroup readers(SessionIds ids, CollectorStart start, RouterKeys keys) {
        return new BmpReaders(keys.transport(), new DefaultThreadFactory("bmp-reader", true), ids::next);
    }

    void stopReaders(@Disposes @Named("bmpReaders") EventLoopGroup threads) {
        threads.shutdownGracefully();
    }

    @Produces
    @Singleton
    SessionIds ids(
            IdentityTopic identities,
            @ConfigProperty(name = "station.newest-session", defaultValue = "-1") long newest) {
        if (!ReceiveClock.SYSTEM.isPlausible()) {
            throw new OperatorError("the system clock is at " + ReceiveClock.SYSTEM.systemTime()
                    + ", which cannot be right: set it. Sessions and routes would bear this time");
        }
        SessionIds ids =
                new SessionIds(ReceiveClock.SYSTEM, identities.number(), Math.max(newest, identities.usedUntil()));
        identities.recordUse(ids::newestMillis);
        return ids;
    }

    /**
     * Created before any session, so that its id is smaller than theirs, and after the sessions of the previous run are
     * complete.
     */
    @Produces
    @Singleton
    @Unremovable
    CollectorStart start(StationConfig config, SessionIds ids, DecodingProgress progress) {
        progress.start(decoding(config));
        return new CollectorStart(
                name(config), ids.next(), ChronoUnit.MICROS.between(Instant.EPOCH, ReceiveClock.SYSTEM.instant()));
    }

    @Produces
    @Singleton
    DecodingProgress progress(KafkaAccess kafka, StationConfig config, SessionRegistry sessions) {
        return new DecodingProgress(kafka, config, sessions, name(config));
    }

    void close(@Disposes DecodingProgress progress) {
        progress.close();
    }

    private static SessionConfig decoding(StationConfig config) {
        CollectorConfig.Session bounds = config.session();
        return new SessionConfig(
                name(config),
                bounds.maxPeers(),
                config.decode().addPath(),
                read(
                        "silkroute.decode.add-path-routers",
                        config.decode().addPathRouters().orElse(""),
                        CollectorBeans::addPathRouters),
                read(
                        "silkroute.decode.neighbor-roles",
                        config.decode().neighborRoles().orElse(""),
                        NeighborRole::ofAsns),
                new TableDumpLimits(bounds.endOfRibAfterQuiet(), bounds.endOfRibAtLatest()));
    }

    private static String name(StationConfig config) {
        return config.collector().orElseGet(CollectorBeans::hostName);
    }

    @Produces
    @Singleton
    @Named("bmpFrames")
    @Metadata(
            description =
                    "The channel handlers of a BMP session, from the access check to batches of whole messages: option decoders of netty:")
    @Unremovable
    BmpFrames frames(
            StationConfig config,
            @ConfigProperty(name = "camel.component.kafka.max-request-size") int record,
            MemoryBudget budget,
            SessionRegistry sessions,
            TurnQueue turns,
            SessionIds ids,
            RouterCertificates certificates) {
        CollectorConfig.Session bounds = config.session();
        int message = atLeast(
                "silkroute.session.max-message-bytes",
                bytes("silkroute.session.max-message-bytes", bounds.maxMessageBytes()),
                BmpMessages.COMMON_HEADER_LENGTH);
        fits("silkroute.session.max-message-bytes", message, record);
        int batch = bytes("silkroute.session.batch-bytes", bounds.batchBytes());
        fits("silkroute.session.batch-bytes", batch, record);
        SessionConfig session = decoding(config);
        RouterValues names = read("silkroute.router-names", config.routerNames().orElse(""), RouterValues::parse);
        boolean acceptsClaims = config.routerNamePolicy() != RouterNamePolicy.CONFIGURED_ONLY;
        return new BmpFrames(new ConnectionHandlers(
                new SessionLimits(
                        message,
                        atLeast(
                                "silkroute.session.max-held-bytes",
                                bytes("silkroute.session.max-held-bytes", bounds.maxHeldBytes()),
                                message),
                        batch,
                        bounds.batchMessages(),
                        config.partialMessageTimeout(),
                        session.tableDumps().interval()),
                budget,
                sessions,
                turns,
                connection -> new OpenSession(
                        session,
                        new RouterIdentifier(
                                ConnectionGate.routerAddress(connection),
                                names,
                                acceptsClaims,
                                ConnectionGate.certifiedName(connection)),
                        BmpReaders.sessionId(connection, ids::next),
                        ConnectionGate.routerAddress(connection)),
                new ListenerAccess(
                        prefixes("silkroute.proxy-protocol-from", config.proxyProtocolFrom()),
                        prefixes("silkroute.bmp-allow", config.bmpAllow()),
                        certificates.tls())));
    }

    static List<IpPrefix> prefixes(String property, Optional<String> text) {
        return read(
                property,
                text.orElse(""),
                list -> Stream.of(list.split(",", -1))
                        .filter(prefix -> !prefix.isBlank())
                        .map(prefix -> IpPrefix.parse(prefix.strip()))
                        .toList());
    }

    static RouterValues addPathRouters(String text) {
        RouterValues policies = RouterValues.parse(text);
        policies.values().forEach(AddPathPolicy::of);
        return policies;
    }

    /** Parses a setting. @throws OperatorError if its value is invalid; the message contains its name */
    static <T> T read(String property, String text, Function<String, T> parser) {
        try {
            return parser.apply(text);
        } catch (IllegalArgumentException e) {
            throw new OperatorError(property + ": " + e.getMessage(), e);
        }
    }

    private static int bytes(String property, MemorySize size) {
        long bytes = size.asLongValue();
        if (bytes > Integer.MAX_VALUE) {
            throw new OperatorError(property + " is " + bytes + ": it must be at most " + Integer.MAX_VALUE);
        }
        return (int) bytes;
    }

    static int atLeast(String property, int value, int least) {
        if (value < least) {
            throw new OperatorError(property + " is " + value + ": it must be at least " + least);
        }
        return value;
    }

    private static void fits(String property, int bytes, int record) {
        int max = SessionLimits.maxMessageBytes(record);
        if (bytes > max) {
            throw new OperatorError(property + " is " + bytes + ": it must be at most " + max
                    + ", so that its records fit into a Kafka record of " + record
                    + " bytes (camel.component.kafka.max-request-size)");
        }
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "silkroute";
        }
    }
}
