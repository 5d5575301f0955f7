package dev.silkroute.collector.transport;

import io.netty.channel.ChannelHandlerContext;
import java.util.function.BooleanSupplier;

/**
 * Back-pressure of one connection: accounts for the heap between socket and Kafka, and stops reading while the session
 * holds more than its bound or all sessions together hold more than theirs. The router then sees its TCP window close,
 * and nothing is lost. Used by the channel's event loop only.
 */
final class ReadControl {
    private final ChannelHandlerContext ctx;
    private final int bound;
    private final MemoryBudget budget;
    private final BooleanSupplier mustRead;
    private final Runnable resume;
    private long held;

    /**
     * @param bound in bytes; reading stops above it and resumes at half of it
     * @param mustRead returns whether to read whatever the bounds are, because only more bytes can lead to a batch
     */
    ReadControl(ChannelHandlerContext ctx, int bound, MemoryBudget budget, BooleanSupplier mustRead) {
        this.ctx = ctx;
        this.bound = bound;
        this.budget = budget;
        this.mustRead = mustRead;
        resume = () -> ctx.executor().execute(this::resumeIfPossible);
    }

    /** Bytes have been read from the socket, or messages have been found in them, which cost heap. */
    void received(long cost) {
        held += cost;
        budget.reserve(cost);
    }

    /** What had been received has been acknowledged by Kafka, or dropped. */
    void released(long cost) {
        held -= cost;
        budget.release(cost);
    }

    /** Stops reading if a bound is exceeded. */
    void pauseIfFull() {
        if (mustRead.getAsBoolean()) {
            return;
        }
        if (held > bound) {
            ctx.channel().config().setAutoRead(false);
        } else if (budget.isExhausted()) {
            ctx.channel().config().setAutoRead(false);
            budget.await(resume);
        }
    }

    /** Resumes reading if it has been stopped and the bounds permit it. */
    void resumeIfPossible() {
        boolean required = mustRead.getAsBoolean();
        if (ctx.channel().config().isAutoRead() || !required && held > bound / 2) {
            return;
        }
        if (!required && budget.isExhausted()) {
            budget.await(resume);
        } else {
            ctx.channel().config().setAutoRead(true);
        }
    }
}
