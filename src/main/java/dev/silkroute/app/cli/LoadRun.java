package dev.silkroute.app.cli;

import dev.silkroute.component.nettyff.NettyFfConstants;
import dev.silkroute.component.nettyff.NettyFfEndpoint;
import dev.silkroute.component.nettyff.NettyFfStatistics;
import dev.silkroute.load.ExpectedRib;
import dev.silkroute.load.LoadPlan;
import dev.silkroute.load.LoadRouter;
import dev.silkroute.net.ByteSink;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.camel.Endpoint;
import org.apache.camel.Exchange;
import org.apache.camel.ExchangePattern;
import org.apache.camel.Handler;
import org.apache.camel.ProducerTemplate;
import org.jspecify.annotations.Nullable;

/** Runs synthetic routers, each on a thread and a route of its own. */
final class LoadRun implements AutoCloseable {
    private static final int MOST_MESSAGES = 64;
    private static final int MOST_BYTES = 32 * 1024;
    private static final long SHUTDOWN_SECONDS = 15;
    private static final Duration FLUSH = Duration.ofSeconds(60);
    private static final Duration NOTICES = Duration.ofSeconds(5);
    private static final long NOTICE_POLL_NANOS = 5_000_000;

    /**
     * @param rate messages per second of all routers together, 0 for as many as there can be
     * @param churn changes per second of all routers together, 0 likewise
     */
    record Options(
            StationAddress station,
            double rate,
            double churn,
            @Nullable Path routesDirectory) {}

    private final LoadPlan plan;
    private final Options options;
    private final MockRoutes routes = new MockRoutes("load", ".yaml", SHUTDOWN_SECONDS);
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final CountDownLatch running;
    private final List<Sender> senders = new ArrayList<>();
    private final AtomicLong lost = new AtomicLong();
    private long started = System.nanoTime();

    LoadRun(LoadPlan plan, Options options) {
        this.plan = plan;
        this.options = options;
        running = new CountDownLatch(plan.profile().routers());
    }

    /** Starts all routers. */
    void start() {
        for (int i = 0; i < plan.profile().routers(); i++) {
            Sender sender = new Sender(plan.router(i));
            routes.camel().getRegistry().bind(sender.router.name(), sender);
            senders.add(sender);
        }
        routes.load(
                options.routesDirectory(),
                senders.stream().map(sender -> Map.of("router", sender.router.name(), "to", options.station())));
        routes.start();
        started = System.nanoTime();
        ProducerTemplate template = routes.camel().createProducerTemplate();
        senders.forEach(sender -> Thread.ofPlatform()
                .name(sender.router.name())
                .daemon()
                .start(() -> sender.run(template, routes.camel().getEndpoint("direct:" + sender.router.name()))));
    }

    /** Waits until all routers have said everything, at most so long; whether they have. */
    boolean await(long milliseconds) {
        return Interruption.await(running, milliseconds);
    }

    /** Lets the routers stop where they are; waits for it. */
    void stop() {
        stopping.countDown();
        Interruption.await(running, TimeUnit.SECONDS.toMillis(SHUTDOWN_SECONDS));
    }

    double seconds() {
        return (System.nanoTime() - started) / 1e9;
    }

    long messages() {
        return senders.stream().mapToLong(sender -> sender.messages).sum();
    }

    long routes() {
        return senders.stream().mapToLong(sender -> sender.routes).sum();
    }

    long bytes() {
        return senders.stream().mapToLong(sender -> sender.bytes).sum();
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

    /** Waits until the sockets have taken everything, and looks whether a connection was lost after its last message. */
    boolean flush() {
        boolean flushed = true;
        for (Endpoint endpoint : routes.camel().getEndpoints()) {
            try {
                flushed &= !(endpoint instanceof NettyFfEndpoint sending) || sending.flush(FLUSH);
            } catch (InterruptedException e) {
                throw new IllegalStateException("the command's thread was interrupted", e);
            }
        }
        awaitNotices();
        return flushed;
    }

    /** Losses are counted at once and told a moment later. */
    private void awaitNotices() {
        long deadline = System.nanoTime() + NOTICES.toNanos();
        while (lost.get() < statistics().failed() && System.nanoTime() < deadline) {
            LockSupport.parkNanos(NOTICE_POLL_NANOS);
        }
    }

    /** Why routers failed, by router. */
    Map<String, String> failures() {
        Map<String, String> failures = new TreeMap<>();
        for (Sender sender : senders) {
            if (sender.failure != null) {
                failures.put(sender.router.name(), RootCause.text(RootCause.of(sender.failure)));
            }
        }
        return failures;
    }

    /** What the station should hold, once the routers have ended. */
    List<ExpectedRib> expected() {
        return senders.stream()
                .filter(sender -> sender.failure == null)
                .flatMap(sender -> sender.router.expected().stream())
                .toList();
    }

    long announced() {
        return senders.stream().mapToLong(sender -> sender.router.announced()).sum();
    }

    long withdrawn() {
        return senders.stream().mapToLong(sender -> sender.router.withdrawn()).sum();
    }

    @Override
    public void close() {
        stop();
        routes.close();
    }

    /** One router, on its thread. */
    final class Sender {
        private final LoadRouter router;
        private volatile long messages;
        private volatile long routes;
        private volatile long bytes;
        private volatile @Nullable Throwable failure;

        Sender(LoadRouter router) {
            this.router = router;
        }

        /** The route's {@code onFailure}: accepted messages are lost. */
        @Handler
        public void lost(Exchange exchange) {
            Throwable cause = exchange.getProperty(Exchange.EXCEPTION_CAUGHT, Throwable.class);
            failure = cause == null
                    ? new IllegalStateException(
                            exchange.getIn().getHeader(NettyFfConstants.CAUSE, "lost", String.class))
                    : cause;
            lost.addAndGet(exchange.getIn().getHeader(NettyFfConstants.FAILED_MESSAGES, 0L, Long.class));
        }

        private void run(ProducerTemplate template, Endpoint endpoint) {
            try {
                send(template, endpoint);
            } catch (RuntimeException | Error e) {
                failure = e;
            } finally {
                running.countDown();
            }
        }

        private void send(ProducerTemplate template, Endpoint endpoint) {
            ByteSink batch = new ByteSink(2 * MOST_BYTES);
            long changesSince = 0;
            while (failure == null && stopping.getCount() > 0) {
                int count = 0;
                boolean changing = router.changing();
                changesSince = changing && changesSince == 0 ? System.nanoTime() : changesSince;
                if (changing) {
                    awaitTurn(changesSince, router.changed(), options.churn());
                }
                awaitTurn(started, messages, options.rate());
                while (count < MOST_MESSAGES
                        && batch.position() < MOST_BYTES
                        && router.changing() == changing
                        && (!changing || due(changesSince, router.changed(), options.churn()) <= 0)) {
                    int more = router.next(batch);
                    if (more == 0) {
                        break;
                    }
                    count += more;
                }
                if (count == 0) {
                    if (stopping.getCount() > 0 && !router.changing() && !changing) {
                        return;
                    }
                    continue;
                }
                Exchange sent = template.send(endpoint, exchange(endpoint, batch, count));
                if (sent.getException() != null) {
                    failure = failure == null ? sent.getException() : failure;
                    return;
                }
                bytes += batch.position();
                messages += count;
                routes = router.announced() + router.withdrawn();
                batch.reset();
            }
        }

        private static Exchange exchange(Endpoint endpoint, ByteSink batch, int count) {
            Exchange exchange = endpoint.createExchange(ExchangePattern.InOnly);
            exchange.getIn().setBody(batch.toByteArray());
            exchange.getIn().setHeader(NettyFfConstants.MESSAGES, count);
            return exchange;
        }

        /** Nanoseconds until this router's turn to send its next one, so that all routers together keep the rate. */
        private long due(long since, long done, double rate) {
            if (rate <= 0) {
                return 0;
            }
            double seconds = done * plan.profile().routers() / rate;
            return since + (long) (seconds * 1e9) - System.nanoTime();
        }

        private void awaitTurn(long since, long done, double rate) {
            long nanos = due(since, done, rate);
            if (nanos > 0) {
                Interruption.await(stopping, TimeUnit.NANOSECONDS.toMillis(nanos) + 1);
            }
        }
    }
}
