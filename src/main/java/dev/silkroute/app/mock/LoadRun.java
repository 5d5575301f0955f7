package dev.silkroute.app.mock;

import dev.silkroute.component.nettyff.NettyFfComponent;
import dev.silkroute.component.nettyff.NettyFfConfiguration;
import dev.silkroute.component.nettyff.NettyFfEndpoint;
import dev.silkroute.component.nettyff.NettyFfStatistics;
import dev.silkroute.load.LoadPlan;
import dev.silkroute.load.LoadRouter;
import dev.silkroute.load.MalformedCounts;
import dev.silkroute.load.TableSize;
import io.netty.channel.EventLoopGroup;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.apache.camel.Endpoint;
import org.apache.camel.ProducerTemplate;
import org.apache.camel.component.netty.NettyWorkerPoolBuilder;
import org.jspecify.annotations.Nullable;

/** Runs synthetic routers, each with a thread and a route of its own. */
final class LoadRun implements AutoCloseable {
    /** Long enough to send what is pending, short enough for a station that has stopped reading. */
    private static final long SHUTDOWN_SECONDS = 2;

    private static final int ADDRESSES_PER_NETWORK = 250;

    /** The most pending bytes of all routers together, and of one. Even the smallest share has room for any batch. */
    private static final int MAX_PENDING_BYTES = 256 << 20;

    private static final int MAX_SHARE_BYTES = 1 << 20;
    private static final int MIN_SHARE_BYTES = 32 << 10;
    private static final int MAX_BUFFER_BYTES = 64 << 10;
    private static final long STALLED_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long UNREPORTED_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long POLL_NANOS = 10_000_000;

    /**
     * @param tls null if the connections do not use TLS
     * @param rate messages per second of all routers together, 0 for no limit
     * @param churn changes per second of all routers together, 0 for no limit
     * @param sourceAddresses whether each router connects from its own {@link #address}
     * @param reconnectLimit how long a router tries to reconnect; null if it does not
     */
    record Options(
            StationAddress station,
            @Nullable StationTls tls,
            double rate,
            double churn,
            boolean sourceAddresses,
            @Nullable Duration reconnectLimit,
            @Nullable Path routesDirectory) {}

    private final Options options;
    private final MockRoutes routes = new MockRoutes("load", SHUTDOWN_SECONDS);
    private final EventLoopGroup workers =
            new NettyWorkerPoolBuilder().withName("load").withWorkerCount(0).build();
    private final List<LoadSender> senders = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private long startNanos = System.nanoTime();

    /** The messages whose fate is still open, and since when their number has not changed. */
    private long openMessages;

    private long openSinceNanos;

    LoadRun(LoadPlan plan, Options options) {
        this.options = options;
        int share = Math.clamp(MAX_PENDING_BYTES / plan.profile().routers(), MIN_SHARE_BYTES, MAX_SHARE_BYTES);
        routes.camel().getComponent("netty-ff", NettyFfComponent.class).setConfiguration(configuration(share));
        ProducerTemplate producer = routes.camel().createProducerTemplate();
        for (int i = 0; i < plan.profile().routers(); i++) {
            LoadRouter router = plan.router(i);
            LoadSender sender = new LoadSender(router, options, plan.profile().routers(), share / 4, producer);
            routes.camel().getRegistry().bind(router.name(), sender);
            senders.add(sender);
        }
    }

    /** Returns the defaults of the connections, which divide threads and memory among all routers, and use TLS. */
    private NettyFfConfiguration configuration(int share) {
        NettyFfConfiguration configuration = new NettyFfConfiguration();
        configuration.setWorkerGroup(workers);
        configuration.setMaxPendingBytes(share);
        configuration.setFlushBytes(Math.min(configuration.getFlushBytes(), share / 4));
        configuration.setBufferSize(Math.min(MAX_BUFFER_BYTES, share / 8));
        if (options.tls() != null) {
            configuration.addDecoder(options.tls());
        }
        return configuration;
    }

    /** Starts all routers. */
    void start() {
        routes.load(
                options.routesDirectory(), IntStream.range(0, senders.size()).mapToObj(this::parameters));
        routes.start();
        startNanos = System.nanoTime();
        senders.forEach(sender -> threads.add(
                Thread.ofPlatform().name(sender.router().name()).daemon().start(sender)));
    }

    private Map<String, Object> parameters(int router) {
        Map<String, Object> parameters = new HashMap<>();
        parameters.put("router", senders.get(router).router().name());
        parameters.put("to", options.station());
        parameters.put("reconnect", options.reconnectLimit() != null);
        if (options.sourceAddresses()) {
            parameters.put("localAddress", address(router));
        }
        return parameters;
    }

    /** Returns a router's loopback address: 127.1.0.1 to 127.1.0.250, then 127.1.1.1 and so on. */
    static String address(int router) {
        return "127.1." + router / ADDRESSES_PER_NETWORK + "." + (router % ADDRESSES_PER_NETWORK + 1);
    }

    /**
     * Waits until all routers have sent everything and their sockets have accepted it.
     *
     * @return whether that happens in time, or the station has stopped reading
     */
    boolean await(long milliseconds) {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(milliseconds);
        boolean done = isDone();
        while (!done && System.nanoTime() < deadline) {
            LockSupport.parkNanos(POLL_NANOS);
            done = isDone();
        }
        return done;
    }

    private boolean isDone() {
        if (!senders.stream().allMatch(LoadSender::isIdle)) {
            return false;
        }
        // A loss is counted at once and reported to its sender a moment later.
        NettyFfStatistics statistics = statistics();
        long unreported = statistics.failed()
                - sum(sender -> sender.counters().lostMessages.sum());
        if (statistics.pending() + unreported != openMessages) {
            openMessages = statistics.pending() + unreported;
            openSinceNanos = System.nanoTime();
        }
        long unchangedNanos = System.nanoTime() - openSinceNanos;
        if (statistics.pending() > 0) {
            return unchangedNanos > STALLED_NANOS;
        }
        return (unreported <= 0 || unchangedNanos > UNREPORTED_NANOS)
                && senders.stream().allMatch(LoadSender::isSettled);
    }

    /** Stops the routers where they are and waits a short time for them and their sockets. */
    void stop() {
        senders.forEach(LoadSender::stop);
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SHUTDOWN_SECONDS);
        while ((threads.stream().anyMatch(Thread::isAlive) || statistics().pending() > 0)
                && System.nanoTime() < deadline) {
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    /**
     * Stops the routers, which have sent everything, and waits until the station has accepted what they have sent over
     * TLS or rejected it.
     */
    void finish() {
        StationTls tls = options.tls();
        if (tls != null) {
            stop();
            if (options.reconnectLimit() != null) {
                tls.forgetRejections();
            }
            tls.end();
        }
    }

    double seconds() {
        return (System.nanoTime() - startNanos) / 1e9;
    }

    long messages() {
        return sum(sender -> sender.counters().messages.sum());
    }

    long bytes() {
        return sum(sender -> sender.counters().bytes.sum());
    }

    /** Returns the routes of the table dumps that are sent, in the current sessions. */
    long dumped() {
        return sum(sender -> sender.counters().dumped);
    }

    /** Returns the changes that are sent, in all sessions. */
    long changes() {
        return sum(sender -> sender.counters().changes);
    }

    /** Returns how many sessions were restarted. */
    long restarts() {
        return sum(sender -> sender.counters().restarts.sum());
    }

    long announced() {
        return sum(sender -> sender.router().announced());
    }

    long withdrawn() {
        return sum(sender -> sender.router().withdrawn());
    }

    private long sum(ToLongFunction<LoadSender> count) {
        return senders.stream().mapToLong(count).sum();
    }

    /** Returns the statistics of all connections together; those that the command does not use are 0. */
    NettyFfStatistics statistics() {
        long[] sums = new long[5];
        for (Endpoint endpoint : routes.camel().getEndpoints()) {
            if (endpoint instanceof NettyFfEndpoint sending) {
                NettyFfStatistics one = sending.getStatistics();
                sums[0] += one.accepted();
                sums[1] += one.written();
                sums[2] += one.failed();
                sums[3] += one.rejected();
                sums[4] += one.pending();
            }
        }
        return new NettyFfStatistics(sums[0], sums[1], sums[2], 0, sums[3], sums[4], 0, 0, 0, 0);
    }

    /** Returns why routers have given up, by router. */
    Map<String, String> failures() {
        Map<String, String> failures = new TreeMap<>();
        for (LoadSender sender : senders) {
            Throwable failure = sender.failure();
            if (failure != null) {
                failures.put(sender.router().name(), RootCause.text(RootCause.of(failure)));
            }
        }
        return failures;
    }

    /**
     * Returns why the station has rejected TLS connections, null if it has rejected none. With restarts of lost
     * sessions, only rejections after the last restart count.
     */
    @Nullable
    String rejection() {
        StationTls tls = options.tls();
        Throwable rejection = tls == null ? null : tls.rejection();
        return rejection == null ? null : RootCause.text(rejection);
    }

    /** Returns how many TLS connections the station has rejected. */
    int rejections() {
        return options.tls() == null ? 0 : options.tls().rejections();
    }

    /** Returns what the station should contain. Call this only when the routers are idle. */
    List<TableSize> tableSizes() {
        return senders.stream()
                .filter(sender -> sender.failure() == null)
                .flatMap(sender -> sender.router().tableSizes().stream())
                .toList();
    }

    /** Returns the malformed messages that were sent. Call this only when the routers are idle. */
    List<MalformedCounts> malformedCounts() {
        return senders.stream()
                .filter(sender -> sender.failure() == null)
                .map(sender -> sender.router().malformedCounts())
                .toList();
    }

    @Override
    public void close() {
        stop();
        routes.close();
        workers.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }
}
