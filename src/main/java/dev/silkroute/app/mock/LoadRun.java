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
import java.util.stream.IntStream;
import org.apache.camel.Endpoint;
import org.apache.camel.ProducerTemplate;
import org.apache.camel.component.netty.NettyWorkerPoolBuilder;
import org.jspecify.annotations.Nullable;

/** Runs synthetic routers, each on a thread and a route of its own. */
final class LoadRun implements AutoCloseable {
    /** Long enough for what is on its way, short enough for a station that takes no more. */
    private static final long SHUTDOWN_SECONDS = 2;

    private static final int ADDRESSES = 250;

    /** Most bytes that are on their way, of all routers together and of one; even the smallest share has room for any batch. */
    private static final int MOST_PENDING = 256 << 20;

    private static final int LARGEST_SHARE = 1 << 20;
    private static final int SMALLEST_SHARE = 32 << 10;
    private static final int LARGEST_BUFFER = 64 << 10;
    private static final long STALLED_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long UNTOLD_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long POLL_NANOS = 10_000_000;

    /**
     * @param rate messages per second of all routers together, 0 for as many as there can be
     * @param churn changes per second of all routers together, 0 likewise
     * @param sourceAddresses whether each router connects from its own {@link #address}
     * @param patience how long a router whose connection is lost tries to begin anew; null if it is not to
     */
    record Options(
            StationAddress station,
            double rate,
            double churn,
            boolean sourceAddresses,
            @Nullable Duration patience,
            @Nullable Path routesDirectory) {}

    private final Options options;
    private final MockRoutes routes = new MockRoutes("load", ".yaml", SHUTDOWN_SECONDS);
    private final EventLoopGroup workers =
            new NettyWorkerPoolBuilder().withName("load").withWorkerCount(0).build();
    private final List<LoadSender> senders = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private long started = System.nanoTime();
    private long waitedFor;
    private long waitsSince;

    LoadRun(LoadPlan plan, Options options) {
        this.options = options;
        int share = Math.clamp(MOST_PENDING / plan.profile().routers(), SMALLEST_SHARE, LARGEST_SHARE);
        routes.camel().getComponent("netty-ff", NettyFfComponent.class).setConfiguration(sending(share));
        ProducerTemplate template = routes.camel().createProducerTemplate();
        for (int i = 0; i < plan.profile().routers(); i++) {
            LoadRouter router = plan.router(i);
            LoadSender sender = new LoadSender(router, options, plan.profile().routers(), share / 4, template);
            routes.camel().getRegistry().bind(router.name(), sender);
            senders.add(sender);
        }
    }

    /** What connections have where the route doesn't say otherwise: threads and memory are shared by all routers. */
    private NettyFfConfiguration sending(int share) {
        NettyFfConfiguration sending = new NettyFfConfiguration();
        sending.setWorkerGroup(workers);
        sending.setMaxPendingBytes(share);
        sending.setFlushBytes(Math.min(sending.getFlushBytes(), share / 4));
        sending.setBufferSize(Math.min(LARGEST_BUFFER, share / 8));
        return sending;
    }

    /** Starts all routers. */
    void start() {
        routes.load(
                options.routesDirectory(), IntStream.range(0, senders.size()).mapToObj(this::parameters));
        routes.start();
        started = System.nanoTime();
        senders.forEach(sender -> threads.add(
                Thread.ofPlatform().name(sender.router().name()).daemon().start(sender)));
    }

    private Map<String, Object> parameters(int router) {
        Map<String, Object> parameters = new HashMap<>();
        parameters.put("router", senders.get(router).router().name());
        parameters.put("to", options.station());
        parameters.put("reconnect", options.patience() != null);
        if (options.sourceAddresses()) {
            parameters.put("localAddress", address(router));
        }
        return parameters;
    }

    /** 127.1.0.1 to 127.1.0.250, 127.1.1.1 and so on. */
    static String address(int router) {
        return "127.1." + router / ADDRESSES + "." + (router % ADDRESSES + 1);
    }

    /**
     * Waits until all routers have said everything and the sockets have taken it, at most so long; whether that is so, or the station takes
     * no more.
     */
    boolean await(long milliseconds) {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(milliseconds);
        boolean done = done();
        while (!done && System.nanoTime() < deadline) {
            LockSupport.parkNanos(POLL_NANOS);
            done = done();
        }
        return done;
    }

    private boolean done() {
        if (!senders.stream().allMatch(LoadSender::saidAll)) {
            return false;
        }
        NettyFfStatistics now = statistics();
        long untold = now.failed()
                - senders.stream().mapToLong(LoadSender::lostMessages).sum();
        if (now.pending() + untold != waitedFor) {
            waitedFor = now.pending() + untold;
            waitsSince = System.nanoTime();
        }
        long waits = System.nanoTime() - waitsSince;
        if (now.pending() > 0) {
            return waits > STALLED_NANOS;
        }
        // Losses are counted at once and told a moment later.
        return (untold <= 0 || waits > UNTOLD_NANOS) && senders.stream().allMatch(LoadSender::done);
    }

    /** Lets the routers stop where they are; waits for it and for the sockets, but not long where the station takes no more. */
    void stop() {
        senders.forEach(LoadSender::stop);
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SHUTDOWN_SECONDS);
        while ((threads.stream().anyMatch(Thread::isAlive) || statistics().pending() > 0)
                && System.nanoTime() < deadline) {
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    double seconds() {
        return (System.nanoTime() - started) / 1e9;
    }

    long messages() {
        return senders.stream().mapToLong(LoadSender::messages).sum();
    }

    /** Routes of the tables that are out. */
    long shown() {
        return senders.stream().mapToLong(LoadSender::shown).sum();
    }

    /** Changes made. */
    long changed() {
        return senders.stream().mapToLong(LoadSender::changed).sum();
    }

    long bytes() {
        return senders.stream().mapToLong(LoadSender::bytes).sum();
    }

    /** What became of the messages, all connections together. */
    NettyFfStatistics statistics() {
        long[] sums = new long[5];
        for (Endpoint endpoint : routes.camel().getEndpoints()) {
            if (endpoint instanceof NettyFfEndpoint sending) {
                NettyFfStatistics one = sending.getStatistics();
                sums[0] += one.accepted();
                sums[1] += one.written();
                sums[2] += one.failed();
                sums[3] += one.refused();
                sums[4] += one.pending();
            }
        }
        return new NettyFfStatistics(sums[0], sums[1], sums[2], 0, sums[3], sums[4], 0, 0, 0, 0);
    }

    /** Why routers failed, by router. */
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

    /** Sessions that were begun anew. */
    int restarts() {
        return senders.stream().mapToInt(LoadSender::restarts).sum();
    }

    /** What the station should hold, once the routers have ended. */
    List<TableSize> expected() {
        return senders.stream()
                .filter(sender -> sender.failure() == null)
                .flatMap(sender -> sender.router().tableSizes().stream())
                .toList();
    }

    /** What the station should have found wrong, likewise. */
    List<MalformedCounts> faults() {
        return senders.stream()
                .filter(sender -> sender.failure() == null)
                .map(sender -> sender.router().malformedCounts())
                .toList();
    }

    long announced() {
        return senders.stream().mapToLong(sender -> sender.router().announced()).sum();
    }

    long withdrawn() {
        return senders.stream().mapToLong(sender -> sender.router().withdrawn()).sum();
    }

    @Override
    public void close() {
        stop();
        routes.close();
        workers.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }
}
