package dev.silkroute.app.mock;

import dev.silkroute.component.nettyff.NettyFfConstants;
import dev.silkroute.load.LoadRouter;
import dev.silkroute.net.ByteSink;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.camel.Endpoint;
import org.apache.camel.Exchange;
import org.apache.camel.ExchangePattern;
import org.apache.camel.ProducerTemplate;
import org.jspecify.annotations.Nullable;

/**
 * Sends the session of one router on a thread of its own and, if requested, restarts it when the connection is lost.
 *
 * <p>{@code netty-ff:} reports a lost connection by rejecting the next exchange before it accepts anything for a new
 * connection. An exchange without messages is therefore a probe: it fails if and only if the session has ended. The
 * notifications of the component only trigger such a probe.
 */
public final class LoadSender implements Runnable {
    private static final int MAX_BATCH_MESSAGES = 64;
    private static final int MAX_BATCH_BYTES = 32 * 1024;
    private static final int END_OF_SESSION = -1;
    private static final long MIN_BACKOFF_MILLIS = 100;
    private static final long MAX_BACKOFF_MILLIS = 2_000;

    /** A session shorter than this does not end an outage: the limit for reconnecting keeps running. */
    private static final long STABLE_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final LoadRouter router;
    private final LoadRun.Options options;
    private final int routers;
    private final int batchBytes;
    private final ProducerTemplate producer;
    private final SenderCounters counters = new SenderCounters();
    private final Semaphore wakeUp = new Semaphore(0);
    private final ByteSink batch = new ByteSink();
    private volatile @Nullable Endpoint endpoint;
    private long outageStartNanos;

    /**
     * A loss that {@link #isSettled} has found by a probe; it is passed on here because a loss is reported only once.
     * Guarded by this.
     */
    private @Nullable Throwable foundLoss;

    /** Set while all messages of the session are sent. The thread sets it; only holders of the lock clear it. */
    private volatile boolean idle;

    private volatile boolean lossReported;
    private volatile boolean stopping;
    private volatile @Nullable Throwable failure;

    /**
     * @param routers the number of all routers, which share the rates of the options
     * @param batchBytes the most bytes for one exchange
     */
    LoadSender(LoadRouter router, LoadRun.Options options, int routers, int batchBytes, ProducerTemplate producer) {
        this.router = router;
        this.options = options;
        this.routers = routers;
        this.batchBytes = Math.min(MAX_BATCH_BYTES, batchBytes);
        this.producer = producer;
    }

    LoadRouter router() {
        return router;
    }

    SenderCounters counters() {
        return counters;
    }

    /** Returns why the router has given up, or null. */
    @Nullable
    Throwable failure() {
        return failure;
    }

    /** The route's {@code onFailure}: accepted messages were lost. */
    public void lost(Exchange exchange) {
        Throwable cause = exchange.getProperty(Exchange.EXCEPTION_CAUGHT, Throwable.class);
        if (options.reconnectLimit() == null) {
            failure = cause == null ? new IOException("lost") : cause;
        }
        lossReported = true;
        counters.lostMessages.add(exchange.getIn().getHeader(NettyFfConstants.FAILED_MESSAGES, 0L, Long.class));
        wakeUp.release();
    }

    /** The route's {@code onReconnect}. */
    public void reconnected() {
        wakeUp.release();
    }

    void stop() {
        stopping = true;
        wakeUp.release();
    }

    /** Returns whether the router has given up or sent all its messages. */
    boolean isIdle() {
        return failure != null || idle;
    }

    /** Returns whether the router has given up or sent all its messages on a connection that a probe finds alive. */
    synchronized boolean isSettled() {
        if (failure != null || !idle || (lossReported && router.isTerminated())) {
            return failure != null;
        }
        foundLoss = router.isTerminated() ? null : probe();
        if (foundLoss != null) {
            idle = false;
            wakeUp.release();
        }
        return idle;
    }

    @Override
    public void run() {
        try {
            endpoint = producer.getCamelContext().getEndpoint("direct:" + router.name());
            boolean continues = true;
            while (continues) {
                long start = System.nanoTime();
                Throwable loss = sendSession();
                if (loss == null) {
                    loss = awaitLoss();
                }
                if (System.nanoTime() - start > STABLE_NANOS) {
                    outageStartNanos = 0;
                }
                continues = loss != null && restart(loss);
            }
        } catch (RuntimeException | Error e) {
            failure = e;
        }
    }

    /** Sends the messages of the session; returns the loss that ended it, or null if all were sent. */
    private @Nullable Throwable sendSession() {
        Pace messagePace = Pace.start(options.rate() / routers, 0);
        Pace churnPace = null;
        long sent = 0;
        batch.reset();
        while (failure == null && !stopping) {
            if (router.isChanging() && churnPace == null) {
                churnPace = Pace.start(options.churn() / routers, router.changes());
            }
            Pace changePace = router.isChanging() && churnPace != null ? churnPace : Pace.UNLIMITED;
            Throwable loss = awaitTurn(changePace, router.changes());
            if (loss == null) {
                loss = awaitTurn(messagePace, sent);
            }
            if (loss != null) {
                return loss;
            }
            int count = fillBatch(changePace);
            if (count == END_OF_SESSION) {
                return null;
            }
            if (count > 0) {
                Throwable rejection = send(batch.toByteArray(), count);
                if (rejection != null) {
                    return rejection;
                }
                sent += count;
                counters.messages.add(count);
                counters.bytes.add(batch.position());
                counters.dumped = router.dumped();
                counters.changes = router.changes();
                batch.reset();
            }
        }
        return null;
    }

    /**
     * Appends messages to the batch while there is room and they are due. A batch does not mix the table dump with
     * changes.
     *
     * @return the number of messages, or {@link #END_OF_SESSION} if the router has none left
     */
    private int fillBatch(Pace changePace) {
        boolean changing = router.isChanging();
        int count = 0;
        while (count < MAX_BATCH_MESSAGES
                && batch.position() < batchBytes
                && router.isChanging() == changing
                && changePace.nanosUntilDue(router.changes()) <= 0) {
            int added = router.next(batch);
            if (added == 0) {
                return count == 0 ? END_OF_SESSION : count;
            }
            count += added;
        }
        return count;
    }

    /** Sends an exchange through the route and returns why it was rejected, or null. */
    private @Nullable Throwable send(Object body, int messages) {
        Endpoint to = endpoint;
        if (to == null) {
            return null;
        }
        Exchange exchange = to.createExchange(ExchangePattern.InOnly);
        exchange.getIn().setBody(body);
        if (messages > 0) {
            exchange.getIn().setHeader(NettyFfConstants.MESSAGES, messages);
        }
        return producer.send(to, exchange).getException();
    }

    /** Returns why the session has ended, or null while it is alive. */
    private @Nullable Throwable probe() {
        return send(List.of(), 0);
    }

    /** Waits, after all messages are sent, until the session is lost. Returns null when the router is to stop. */
    private @Nullable Throwable awaitLoss() {
        Throwable loss = null;
        while (loss == null && failure == null && !stopping) {
            idle = true;
            wakeUp.acquireUninterruptibly();
            wakeUp.drainPermits();
            synchronized (this) {
                idle = false;
                loss = foundLoss;
                foundLoss = null;
                if (loss == null && !stopping && (lossReported || !router.isTerminated())) {
                    loss = probe();
                }
            }
        }
        return loss;
    }

    /** Waits for a new connection and returns whether the session may start again. */
    private boolean restart(Throwable loss) {
        if (options.reconnectLimit() == null || !(RootCause.of(loss, IOException.class) instanceof IOException)) {
            failure = failure == null ? loss : failure;
            return false;
        }
        outageStartNanos = outageStartNanos == 0 ? System.nanoTime() : outageStartNanos;
        router.restart();
        counters.dumped = 0;
        long backoff = MIN_BACKOFF_MILLIS;
        Throwable rejection = loss;
        while (rejection != null && !stopping) {
            if (System.nanoTime() - outageStartNanos > options.reconnectLimit().toNanos()) {
                failure = rejection;
                return false;
            }
            await(backoff);
            backoff = Math.min(2 * backoff, MAX_BACKOFF_MILLIS);
            rejection = probe();
        }
        lossReported = false;
        counters.restarts.increment();
        return !stopping;
    }

    /** Waits until the next is due; returns a loss found meanwhile, or null. */
    private @Nullable Throwable awaitTurn(Pace pace, long count) {
        Throwable loss = null;
        for (long nanos = pace.nanosUntilDue(count); nanos > 0 && loss == null && !stopping; ) {
            if (await(TimeUnit.NANOSECONDS.toMillis(nanos) + 1)) {
                loss = probe();
            }
            nanos = pace.nanosUntilDue(count);
        }
        return loss;
    }

    /** Waits for the time to pass or a wake-up, and returns whether it was a wake-up. */
    private boolean await(long millis) {
        try {
            boolean woken = wakeUp.tryAcquire(millis, TimeUnit.MILLISECONDS);
            wakeUp.drainPermits();
            return woken;
        } catch (InterruptedException e) {
            throw new IllegalStateException("a router's thread was interrupted", e);
        }
    }
}
