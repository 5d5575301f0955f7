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
 * One router on its thread: sends its session, and begins it anew, if that is wanted, when the connection is lost.
 *
 * <p>That a connection is lost, {@code netty-ff:} tells by refusing an exchange before it takes anything for the next connection. So one
 * without messages asks whether the session still stands, and notices only say when to ask.
 */
public final class LoadSender implements Runnable {
    private static final int MOST_MESSAGES = 64;
    private static final int MOST_BYTES = 32 * 1024;
    private static final long FIRST_BACKOFF_MILLIS = 100;
    private static final long MOST_BACKOFF_MILLIS = 2_000;

    /** A session that was lost sooner had not really begun: the time it takes the station to come back goes on. */
    private static final long STABLE_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final LoadRouter router;
    private final LoadRun.Options options;
    private final int routers;
    private final int batchBytes;
    private final ProducerTemplate template;
    private final Semaphore wake = new Semaphore(0);
    private final ByteSink batch = new ByteSink();
    private volatile @Nullable Endpoint endpoint;
    private long outageBegan;
    private volatile boolean stopping;

    /** What {@link #done} has learnt by asking: nobody is told twice. Guarded by this, as the change of the next from true. */
    private @Nullable Throwable learnt;

    private volatile boolean resting;
    private volatile boolean lossTold;
    private volatile long messages;
    private volatile long shown;
    private volatile long changed;
    private volatile long bytes;
    private volatile long lostMessages;
    private volatile int restarts;
    private volatile @Nullable Throwable failure;

    LoadSender(LoadRouter router, LoadRun.Options options, int routers, int batchBytes, ProducerTemplate template) {
        this.router = router;
        this.options = options;
        this.routers = routers;
        this.batchBytes = Math.min(MOST_BYTES, batchBytes);
        this.template = template;
    }

    LoadRouter router() {
        return router;
    }

    long messages() {
        return messages;
    }

    /** Routes of its tables that are out, in this session. */
    long shown() {
        return shown;
    }

    /** Changes made, in all sessions. */
    long changed() {
        return changed;
    }

    long bytes() {
        return bytes;
    }

    /** Accepted messages that were lost, as far as the route was told. */
    long lostMessages() {
        return lostMessages;
    }

    /** How often it has begun anew. */
    int restarts() {
        return restarts;
    }

    /** Why it has given up. */
    @Nullable
    Throwable failure() {
        return failure;
    }

    /** The route's {@code onFailure}: accepted messages are lost. */
    public void lost(Exchange exchange) {
        Throwable cause = exchange.getProperty(Exchange.EXCEPTION_CAUGHT, Throwable.class);
        if (options.patience() == null) {
            failure = cause == null ? new IOException("lost") : cause;
        }
        lossTold = true;
        lostMessages += exchange.getIn().getHeader(NettyFfConstants.FAILED_MESSAGES, 0L, Long.class);
        wake.release();
    }

    /** The route's {@code onReconnect}. */
    public void reconnected() {
        wake.release();
    }

    void stop() {
        stopping = true;
        wake.release();
    }

    /** Whether it has given up or said everything. */
    boolean saidAll() {
        return failure != null || resting;
    }

    /** Whether it has given up or said everything, and, as far as anybody can know by now, on a connection that still is. */
    synchronized boolean done() {
        if (failure != null || !resting || (lossTold && router.isTerminated())) {
            return failure != null;
        }
        learnt = router.isTerminated() ? null : ask();
        if (learnt != null) {
            resting = false;
            wake.release();
        }
        return resting;
    }

    @Override
    public void run() {
        try {
            endpoint = template.getCamelContext().getEndpoint("direct:" + router.name());
            boolean goesOn = true;
            while (goesOn) {
                long began = System.nanoTime();
                Throwable loss = session();
                if (loss == null) {
                    loss = rest();
                }
                if (System.nanoTime() - began > STABLE_NANOS) {
                    outageBegan = 0;
                }
                goesOn = loss != null && restart(loss);
            }
        } catch (RuntimeException | Error e) {
            failure = e;
        }
    }

    /** Sends messages until there are none any more; what came between, null for nothing. */
    private @Nullable Throwable session() {
        long began = System.nanoTime();
        long sent = 0;
        long changesBegan = 0;
        long changedBefore = 0;
        batch.reset();
        while (failure == null && !stopping) {
            boolean changing = router.isChanging();
            if (changing && changesBegan == 0) {
                changesBegan = System.nanoTime();
                changedBefore = router.changes();
            }
            Throwable loss =
                    changing ? awaitTurn(changesBegan, router.changes() - changedBefore, options.churn()) : null;
            loss = loss == null ? awaitTurn(began, sent, options.rate()) : loss;
            if (loss != null) {
                return loss;
            }
            int count = 0;
            int more = 1;
            while (more > 0
                    && count < MOST_MESSAGES
                    && batch.position() < batchBytes
                    && router.isChanging() == changing
                    && (!changing || due(changesBegan, router.changes() - changedBefore, options.churn()) <= 0)) {
                more = router.next(batch);
                count += more;
            }
            if (count == 0 && more == 0) {
                return null;
            }
            if (count > 0) {
                Throwable refused = send(batch.toByteArray(), count);
                if (refused != null) {
                    return refused;
                }
                sent += count;
                messages += count;
                bytes += batch.position();
                shown = router.dumped();
                changed = router.changes();
                batch.reset();
            }
        }
        return null;
    }

    /** Why the route did not take it. */
    private @Nullable Throwable send(Object body, int count) {
        Endpoint to = endpoint;
        if (to == null) {
            return null;
        }
        Exchange exchange = to.createExchange(ExchangePattern.InOnly);
        exchange.getIn().setBody(body);
        if (count > 0) {
            exchange.getIn().setHeader(NettyFfConstants.MESSAGES, count);
        }
        return template.send(to, exchange).getException();
    }

    /** Whether the session still stands: null, or why it does not. */
    private @Nullable Throwable ask() {
        return send(List.of(), 0);
    }

    /** All is said: waits until the session is lost; null when it is to stop. */
    private @Nullable Throwable rest() {
        Throwable loss = null;
        while (loss == null && failure == null && !stopping) {
            resting = true;
            wake.acquireUninterruptibly();
            wake.drainPermits();
            synchronized (this) {
                resting = false;
                loss = learnt;
                learnt = null;
                if (loss == null && !stopping && (lossTold || !router.isTerminated())) {
                    loss = ask();
                }
            }
        }
        return loss;
    }

    /** Waits for a new connection; whether there is one, and the session may begin. */
    private boolean restart(Throwable loss) {
        if (options.patience() == null || !(RootCause.of(loss, IOException.class) instanceof IOException)) {
            failure = failure == null ? loss : failure;
            return false;
        }
        outageBegan = outageBegan == 0 ? System.nanoTime() : outageBegan;
        router.restart();
        shown = 0;
        long backoff = FIRST_BACKOFF_MILLIS;
        Throwable refused = loss;
        while (refused != null && !stopping) {
            if (System.nanoTime() - outageBegan > options.patience().toNanos()) {
                failure = refused;
                return false;
            }
            await(backoff);
            backoff = Math.min(2 * backoff, MOST_BACKOFF_MILLIS);
            refused = ask();
        }
        lossTold = false;
        restarts++;
        return !stopping;
    }

    /** Nanoseconds until this router's turn to send its next one, so that all routers together keep the rate. */
    private long due(long since, long done, double rate) {
        return rate <= 0 ? 0 : since + (long) (done * routers / rate * 1e9) - System.nanoTime();
    }

    /** Waits for the turn; what came between, null for nothing. */
    private @Nullable Throwable awaitTurn(long since, long done, double rate) {
        Throwable loss = null;
        for (long nanos = due(since, done, rate); nanos > 0 && loss == null && !stopping; ) {
            if (await(TimeUnit.NANOSECONDS.toMillis(nanos) + 1)) {
                loss = ask();
            }
            nanos = due(since, done, rate);
        }
        return loss;
    }

    /** Waits so long, or until woken; whether it was. */
    private boolean await(long millis) {
        try {
            boolean woken = wake.tryAcquire(millis, TimeUnit.MILLISECONDS);
            wake.drainPermits();
            return woken;
        } catch (InterruptedException e) {
            throw new IllegalStateException("a router's thread was interrupted", e);
        }
    }
}
