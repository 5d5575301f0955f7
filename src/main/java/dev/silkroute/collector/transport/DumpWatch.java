package dev.silkroute.collector.transport;

import dev.silkroute.collector.sessions.DumpEnd;
import dev.silkroute.collector.sessions.OpenSession;
import dev.silkroute.collector.sessions.SessionRegistry;
import dev.silkroute.session.BmpSession;
import dev.silkroute.session.DumpState;
import io.netty.channel.ChannelHandlerContext;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connects the {@link DumpPacing} of a session with its connection: with what is read, the state of the session's
 * tables, and the time. Used by the channel's event loop only.
 */
final class DumpWatch {
    private static final Logger LOGGER = LoggerFactory.getLogger(DumpWatch.class);

    private final ChannelHandlerContext ctx;
    private final OpenSession session;
    private final ReadControl reading;
    private final Runnable onGranted;
    private final DumpPacing pacing;

    /** @param onGranted called when the session has waited for a place and has it */
    DumpWatch(
            ChannelHandlerContext ctx,
            SessionRegistry sessions,
            OpenSession session,
            ReadControl reading,
            Runnable onGranted) {
        this.ctx = ctx;
        this.session = session;
        this.reading = reading;
        this.onGranted = onGranted;
        pacing = new DumpPacing(
                sessions.dumps(), session.address(), () -> ctx.executor().execute(this::granted));
    }

    /** Returns whether nothing is to be read until other sessions have sent their tables. */
    boolean isWaiting() {
        return pacing.isWaiting();
    }

    /**
     * Bytes have been read.
     *
     * @param isIdentified whether the router is identified; before that, more bytes are needed
     */
    void received(int bytes, boolean isIdentified) {
        boolean wasDumping = pacing.isDumping();
        pacing.received(bytes, isIdentified, state(), reading.pauses());
        if (pacing.isDumping() && !wasDumping) {
            schedule();
        }
    }

    private void granted() {
        pacing.granted(reading.pauses());
        if (pacing.isDumping()) {
            schedule();
            onGranted.run();
        }
    }

    private void schedule() {
        ctx.executor().schedule(this::check, pacing.checkNanos(), TimeUnit.NANOSECONDS);
    }

    private void check() {
        // The transmission includes bytes that have been read but not acknowledged by Kafka
        boolean isCurrent = reading.isReading() && reading.held() <= DumpPacing.FREE_BYTES;
        DumpEnd end = pacing.check(state(), isCurrent, reading.pauses());
        if (end == DumpEnd.AT_LATEST) {
            LOGGER.info(
                    "BMP session {} has not sent all of its tables in time; it continues, and another session may begin"
                            + " (silkroute.session.dumped-at-latest)",
                    session);
        }
        if (pacing.isDumping()) {
            schedule();
        }
        releaseIfOver();
    }

    /** Everything that has been read is decoded and acknowledged. */
    void idle() {
        if (reading.isReading()) {
            pacing.idle(state());
            releaseIfOver();
        }
    }

    /** The session has ended, or is only read to its end: it does not wait, and others need not wait for it. */
    void end() {
        pacing.end();
        releaseIfOver();
    }

    private void releaseIfOver() {
        BmpSession decoder = session.decoder();
        if (pacing.isOver() && decoder != null) {
            decoder.ignoreDumpState();
        }
    }

    private DumpState state() {
        BmpSession decoder = session.decoder();
        return decoder == null ? DumpState.NOT_BEGUN : decoder.dumpState();
    }
}
