package dev.silkroute.app.collector;

import dev.silkroute.app.config.OperatorError;
import dev.silkroute.bgp.AddPathPolicy;
import dev.silkroute.component.bmp.BatchCompletionPolicyFactory;
import dev.silkroute.component.bmp.BmpFrames;
import dev.silkroute.component.bmp.BmpReaders;
import dev.silkroute.component.bmp.DecodeCounters;
import dev.silkroute.component.bmp.MemoryBudget;
import dev.silkroute.component.bmp.RouterAccess;
import dev.silkroute.component.bmp.SessionLimits;
import dev.silkroute.component.bmp.Sessions;
import dev.silkroute.net.IpPrefix;
import dev.silkroute.session.BmpSession;
import dev.silkroute.session.CollectorStart;
import dev.silkroute.session.RouterValues;
import dev.silkroute.session.SessionConfig;
import dev.silkroute.session.TableDumpLimits;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.util.concurrent.DefaultEventExecutorGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutorGroup;
import io.quarkus.arc.Unremovable;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** What {@code collector.yaml} refers to. */
final class CollectorBeans {
    @Produces
    @Singleton
    @Unremovable
    Sessions sessions(CollectorConfig config) {
        return new Sessions(config.maxSessions());
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
    MemoryBudget budget(CollectorConfig config) {
        long bound = config.sessions().maxHeldBytes();
        return new MemoryBudget(bound, Math.max(bound / 4, 2L * config.session().maxMessageBytes()));
    }

    @Produces
    @Singleton
    @Unremovable
    BatchCompletionPolicyFactory completion() {
        return new BatchCompletionPolicyFactory();
    }

    /** The threads on which sessions' exchanges run; virtual, since they wait for Kafka most of the time. */
    @Produces
    @Singleton
    @Named("bmpThreads")
    @Unremovable
    EventExecutorGroup threads(CollectorConfig config) {
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
    @Unremovable
    EventLoopGroup acceptor() {
        return new NioEventLoopGroup(1, new DefaultThreadFactory("bmp-acceptor", true));
    }

    void stopAcceptor(@Disposes @Named("bmpAcceptor") EventLoopGroup threads) {
        threads.shutdownGracefully();
    }

    /** Needs the collector's start: its number comes before those of connections. */
    @Produces
    @Singleton
    @Named("bmpReaders")
    @Unremovable
    EventLoopGroup readers(SessionIds ids, CollectorStart start) {
        return new BmpReaders(new DefaultThreadFactory("bmp-reader", true), ids::next);
    }

    void stopReaders(@Disposes @Named("bmpReaders") EventLoopGroup threads) {
        threads.shutdownGracefully();
    }

    @Produces
    @Singleton
    SessionIds ids() {
        return new SessionIds(Clock.systemUTC());
    }

    /** Before any session: its number is smaller than theirs. */
    @Produces
    @Singleton
    @Unremovable
    CollectorStart start(CollectorConfig config, SessionIds ids) {
        long id = ids.next();
        return new CollectorStart(name(config), id, id);
    }

    private static String name(CollectorConfig config) {
        return config.collector().orElseGet(CollectorBeans::hostName);
    }

    @Produces
    @Singleton
    @Named("bmpFrames")
    @Unremovable
    BmpFrames frames(
            CollectorConfig config,
            @ConfigProperty(name = "camel.component.kafka.max-request-size") int record,
            MemoryBudget budget,
            Sessions sessions,
            SessionIds ids,
            CollectorStart start,
            RouterCertificates certificates) {
        CollectorConfig.Session bounds = config.session();
        fits("silkroute.session.max-message-bytes", bounds.maxMessageBytes(), record);
        fits("silkroute.session.batch-bytes", bounds.batchBytes(), record);
        TableDumpLimits dumps = new TableDumpLimits(bounds.endOfRibAfterQuiet(), bounds.endOfRibAtLatest());
        SessionConfig session = new SessionConfig(
                start.collector(),
                RouterValues.parse(config.routerNames().orElse("")),
                bounds.maxPeers(),
                AddPathPolicy.of(config.decode().addPath()),
                RouterValues.parse(config.decode().addPathRouters().orElse("")),
                dumps);
        return new BmpFrames(
                new SessionLimits(
                        bounds.maxMessageBytes(),
                        bounds.maxHeldBytes(),
                        bounds.batchBytes(),
                        config.partialMessageTimeout(),
                        dumps.interval()),
                budget,
                sessions,
                connection -> new BmpSession(
                        session, BmpReaders.number(connection, ids::next), BmpFrames.routerAddress(connection)),
                new RouterAccess(
                        prefixes("silkroute.proxy-protocol-from", config.proxyProtocolFrom()),
                        prefixes("silkroute.bmp-allow", config.bmpAllow()),
                        certificates.tls(config.bmpTls().plainToo())));
    }

    static List<IpPrefix> prefixes(String property, Optional<String> text) {
        try {
            return Stream.of(text.orElse("").split(",", -1))
                    .filter(prefix -> !prefix.isBlank())
                    .map(prefix -> IpPrefix.parse(prefix.strip()))
                    .toList();
        } catch (IllegalArgumentException e) {
            throw new OperatorError(property + ": " + e.getMessage()); // the innermost cause is what is told
        }
    }

    private static void fits(String property, int bytes, int record) {
        int most = SessionLimits.most(record);
        if (bytes > most) {
            throw new OperatorError(property + " is " + bytes + ": more than " + most
                    + " bytes may not fit into a Kafka record of " + record
                    + " (camel.component.kafka.max-request-size)");
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
