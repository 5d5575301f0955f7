package dev.silkroute.collector.transport;

import dev.silkroute.collector.sessions.AddressQuota;
import io.netty.channel.ChannelHandlerContext;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;

/**
 * Back-pressure of one connection: accounts for the heap between socket and Kafka, and stops reading while the session
 * holds more than its bound, all sessions together hold more than theirs, the router's address exceeds the rates of
 * its quota, or the session has to wait for others. The router then sees its TCP window close, and nothing is lost.
 * Used by the channel's event loop only.
 */
final class ReadControl {
    private final ChannelHandlerContext ctx;
    private final int bound;
    private final MemoryBudget budget;
    private final AddressQuota quota;
    private final IntSupplier addresses;
    private final BooleanSupplier mustRead;
    private final BooleanSupplier mustWait;
    private final Runnable resume;
    private long held;
    private boolean paused;
    private long pauses;

    /**
     * @param bound in bytes; reading stops above it and resumes at half of it
     * @param quota the quota of the router's address
     * @param addresses returns the number of addresses among which the budget is shared
     * @param mustRead returns whether to read whatever the bounds are, because only more bytes can lead to a batch
     * @param mustWait returns whether what has been read, or reading more, has to wait, whatever the bounds are
     */
    ReadControl(
            ChannelHandlerContext ctx,
            int bound,
            MemoryBudget budget,
            AddressQuota quota,
            IntSupplier addresses,
            BooleanSupplier mustRead,
            BooleanSupplier mustWait) {
        this.ctx = ctx;
        this.bound = bound;
        this.budget = budget;
        this.quota = quota;
        this.addresses = addresses;
        this.mustRead = mustRead;
        this.mustWait = mustWait;
        resume = () -> ctx.executor().execute(this::resumeIfPossible);
    }

    /** Bytes have been read from the socket. */
    void received(int bytes) {
        held += bytes;
        quota.hold(bytes);
        budget.reserve(bytes);
    }

    /** Called when received bytes have been acknowledged by Kafka, or dropped. */
    void released(int bytes) {
        held -= bytes;
        quota.hold(-bytes);
        budget.release(bytes);
    }

    /** Stops reading if a bound is exceeded. */
    void pauseIfFull() {
        if (mustWait.getAsBoolean()) {
            stop();
            return;
        }
        if (budget.isPaused()) {
            stop();
            budget.await(resume);
            return;
        }
        if (mustRead.getAsBoolean()) {
            return;
        }
        if (held > bound) {
            stop();
        } else if (isExhausted()) {
            stop();
            budget.await(resume);
        }
    }

    private void stop() {
        if (isReading()) {
            pauses++;
            ctx.channel().config().setAutoRead(false);
        }
    }

    /** Returns whether bytes are read from the socket. */
    boolean isReading() {
        return ctx.channel().config().isAutoRead();
    }

    /** Returns the bytes that have been read and not been acknowledged yet. */
    long held() {
        return held;
    }

    /** Returns how often reading has been paused so far. */
    long pauses() {
        return pauses;
    }

    private boolean isExhausted() {
        return budget.isExhaustedFor(quota.held(), addresses.getAsInt());
    }

    /** Stops reading for a time in nanoseconds; does nothing if it is 0. */
    void pauseFor(long nanos) {
        if (nanos > 0 && !paused) {
            paused = true;
            stop();
            ctx.executor()
                    .schedule(
                            () -> {
                                paused = false;
                                resumeIfPossible();
                            },
                            nanos,
                            TimeUnit.NANOSECONDS);
        }
    }

    /** Resumes reading if it has been stopped and the bounds permit it. */
    void resumeIfPossible() {
        boolean required = mustRead.getAsBoolean() && !budget.isPaused();
        if (paused || mustWait.getAsBoolean() || isReading() || !required && held > bound / 2) {
            return;
        }
        if (!required && (budget.isPaused() || isExhausted())) {
            budget.await(resume);
        } else {
            ctx.channel().config().setAutoRead(true);
        }
    }
}
