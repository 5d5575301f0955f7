package dev.silkroute.collector.transport;

import dev.silkroute.bmp.FramingFault;
import dev.silkroute.collector.sessions.AddressQuota;
import dev.silkroute.collector.sessions.OpenSession;
import dev.silkroute.collector.sessions.SessionEnd;
import dev.silkroute.collector.sessions.SessionRegistry;
import dev.silkroute.collector.sockets.BmpConnector;
import dev.silkroute.collector.turns.SessionTurn;
import dev.silkroute.collector.turns.TurnQueue;
import dev.silkroute.session.BmpSession;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One router's connection, from its first byte to the acknowledgement of its last batch: coordinates framing ({@link
 * StreamBuffer}), the router's identity and turn ({@link SessionTurn}), batches ({@link BatchSender}), back-pressure
 * ({@link ReadControl}) and time-outs, and ends the session.
 *
 * <p>There is no idle time-out between messages, because BMP has no keep-alive; only a message that has begun must
 * continue.
 *
 * <p>Used by the channel's event loop only; acknowledgements return to it as tasks.
 */
final class RouterConnection {
    private static final Logger LOGGER = LoggerFactory.getLogger(RouterConnection.class);
    private static final long STARTED_NANOS = System.nanoTime();
    /** The time after which a batch that must wait is tried again. */
    private static final long ADMISSION_MILLIS = 100;

    private final ChannelHandlerContext ctx;
    private final SessionLimits limits;
    private final SessionRegistry sessions;
    private final OpenSession session;
    private final AddressQuota quota;
    private final @Nullable ListenerConnections listener;
    private final StreamBuffer buffer;
    private final PartialMessages partialMessages;
    private final PartialMessages.Share partial = new PartialMessages.Share(this::evict);
    private final ReadControl reading;
    private final BatchSender batches;
    private final SessionTurn turn;
    private final StallWatch stalls;
    private final TableWatch tables;
    private final DumpWatch dump;
    private final DrainWatch drain = new DrainWatch();
    private boolean up;
    private boolean ended;
    /** True while a batch, or reading the first one, waits until the session may send more. */
    private boolean awaitsAdmission;

    private boolean isRetryScheduled;
    /** Sends what is left of an ended session, and returns whether that is complete. */
    private @Nullable BooleanSupplier deferredEnd;

    /** The reason for the end of the session, until it is logged. */
    private @Nullable String unloggedEnd;

    RouterConnection(
            ChannelHandlerContext ctx,
            SessionLimits limits,
            MemoryBudget budget,
            SessionRegistry sessions,
            AddressQuota quota,
            TurnQueue turns,
            OpenSession session) {
        this.ctx = ctx;
        this.limits = limits;
        this.sessions = sessions;
        this.session = session;
        this.quota = quota;
        Channel accepting = BmpConnector.listener(ctx.channel());
        listener = accepting == null ? null : ListenerConnections.of(accepting);
        buffer = new StreamBuffer(limits);
        partialMessages = budget.partialMessages();
        reading = new ReadControl(
                ctx, limits.session(), budget, quota, sessions::addresses, this::mustRead, this::mustWait);
        batches = new BatchSender(buffer, limits, ctx::fireChannelRead, new Batches());
        turn = new SessionTurn(turns, session, ctx.executor(), this::turnGranted, this::superseded);
        stalls = new StallWatch(limits.silence(), this::awaitsBytes, this::endStalled);
        dump = new DumpWatch(ctx, sessions, session, reading, this::dumpGranted);
        tables = new TableWatch(limits.tableCheck(), this::checkTables);
    }

    /** The connection is admitted. */
    void begin() {
        session.receivedAt(nowMicros());
        session.onEnd(reason -> ctx.executor().execute(() -> end(SessionEnd.RESYNC, reason)));
        sessions.add(session);
        if (listener != null) {
            listener.add(ctx);
        }
        admitReading();
        reading.pauseIfFull();
        stalls.bytesReceived(ctx);
        tables.begin(ctx);
    }

    /** Bytes have been read from the socket. Does not release them. */
    void received(ByteBuf bytes) {
        if (ended) {
            return;
        }
        long now = nowMicros();
        session.receivedAt(now);
        batches.receivedAt(now, elapsedMicros());
        drain.bytesReceived();
        int length = bytes.readableBytes();
        buffer.append(bytes);
        reading.received(length);
        frame(length);
    }

    private void frame(int length) {
        long before = buffer.all();
        FramingFault fault = buffer.scan();
        int messages = (int) (buffer.all() - before);
        reading.pauseFor(quota.received(length, messages, buffer.newPeerEvents(), System.nanoTime()));
        if (fault != null) {
            end(SessionEnd.of(fault), buffer.text(fault));
            return;
        }
        if (buffer.terminated()) {
            end(SessionEnd.TERMINATED, "Termination message");
            return;
        }
        if (buffer.all() > before) {
            partialMessages.change(partial, 0); // the message that is incomplete now is another one
        }
        sendDue();
        dump.received(length, turn.isGranted() || turn.isWaiting());
        reading.pauseIfFull();
        countPartial();
        stalls.bytesReceived(ctx);
    }

    /** Counts the incomplete message unless the router cannot complete it, because reading waits for other sessions. */
    private void countPartial() {
        partialMessages.change(partial, dump.isWaiting() ? 0 : buffer.rest());
    }

    /** The session has waited for others to send their tables, and may send its own now. */
    private void dumpGranted() {
        if (!ended) {
            countPartial();
            reading.resumeIfPossible();
        }
    }

    private void sendDue() {
        if (buffer.messages() == 0) {
            return;
        }
        boolean granted = turn.request(buffer.bytes(), buffer.wholeBytes());
        logUp();
        if (granted) {
            batches.sendDue(decoder());
        }
    }

    /** Logs once that the session is up: it has a whole message, and its router is identified. */
    private void logUp() {
        if (!up && buffer.all() > 0 && session.decoder() != null) {
            up = true;
            LOGGER.info("BMP session {} is up", session);
        }
    }

    /** Logs the end once the router is identified: the session may still wait for its name. */
    private void logEnd() {
        String reason = unloggedEnd;
        if (reason != null && session.decoder() != null) {
            unloggedEnd = null;
            logUp();
            LOGGER.info("BMP session {} ended after {} messages: {}", session, buffer.all(), reason);
        }
    }

    private BmpSession decoder() {
        return Objects.requireNonNull(session.decoder(), "the router is not identified");
    }

    private void turnGranted() {
        if (ended) {
            sendDeferredEnd();
        } else {
            sendDue();
            reading.resumeIfPossible();
        }
    }

    /** The router has opened another session, which waits for this one. */
    private void superseded(String newer) {
        if (!ended) {
            dump.end(); // the new session continues only after everything in this socket has been read
            reading.resumeIfPossible();
            drain.begin(ctx, () -> end(SessionEnd.SUPERSEDED, "the router has opened " + newer));
        }
    }

    private final class Batches implements BatchSender.Listener {
        @Override
        public int admitted(int bytes, int first) {
            int most = sessions.admitted(session, bytes, first);
            awaitAdmission(most == 0);
            return most;
        }

        @Override
        public void sent(int bytes, long receivedMicros) {
            session.batchSent(receivedMicros);
            sessions.sending(session, bytes);
        }

        /** Kafka has acknowledged everything that came of a batch. */
        @Override
        public void acknowledged(int bytes, boolean last) {
            session.batchAcknowledged();
            sessions.sent(session, bytes);
            ctx.executor().execute(() -> batchAcknowledged(bytes));
            if (last) {
                sessions.remove(session);
                turn.leave();
            }
        }
    }

    private void batchAcknowledged(int bytes) {
        batches.acknowledged();
        reading.released(bytes);
        reading.pauseFor(quota.decoded(0, System.nanoTime()));
        if (!ended) {
            sendDue();
            if (batches.isIdle()) {
                buffer.trim();
                if (buffer.messages() == 0) {
                    dump.idle();
                }
            }
        }
        finishIfDone();
        reading.resumeIfPossible();
    }

    private void finishIfDone() {
        if (ended && deferredEnd == null && batches.isIdle() && listener != null) {
            listener.finished(ctx);
        }
    }

    private void awaitAdmission(boolean waits) {
        if (awaitsAdmission != waits) {
            awaitsAdmission = waits;
            sessions.waits(quota, waits);
        }
        if (waits && !isRetryScheduled) {
            isRetryScheduled = true;
            ctx.executor().schedule(this::retry, ADMISSION_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private void retry() {
        isRetryScheduled = false;
        if (ended) {
            sendDeferredEnd();
        } else if (awaitsAdmission) {
            if (turn.isGranted() && buffer.messages() > 0) {
                sendDue();
            } else {
                admitReading(); // more bytes may have to identify the router
            }
            reading.resumeIfPossible();
        }
    }

    /**
     * Lets a connection of which nothing is sent yet wait before more is read from it, if the address has more than its
     * share together with what has been read from its other connections. So an address that connects again and again
     * does not fill memory.
     */
    private void admitReading() {
        awaitAdmission(!sessions.mayRead(session, quota));
    }

    /**
     * Returns whether to read whatever the bounds are: with nothing unacknowledged, only more bytes lead to a batch.
     */
    private boolean mustRead() {
        return batches.isIdle() && !turn.isWaiting() && !mustWait();
    }

    /** Returns whether to read nothing whatever the bounds are: the address or the session has to wait for others. */
    private boolean mustWait() {
        return awaitsAdmission || dump.isWaiting();
    }

    /** Returns whether more bytes are due: a message is incomplete, or there has been none yet. */
    private boolean awaitsBytes() {
        return !ended && (buffer.rest() > 0 || buffer.all() == 0);
    }

    private void endStalled() {
        end(
                SessionEnd.INCOMPLETE_MESSAGE,
                buffer.all() == 0 && buffer.rest() == 0
                        ? "no byte for %d s after the connection was opened"
                                .formatted(limits.silence().toSeconds())
                        : "no byte for %d s inside a message, after %d bytes of it"
                                .formatted(limits.silence().toSeconds(), buffer.rest()));
    }

    /** A batch without messages lets the session look at its tables; one with messages does so by itself. */
    private boolean checkTables() {
        if (ended) {
            return false;
        }
        if (buffer.taken() > 0
                && buffer.messages() == 0
                && batches.isIdle()
                && decoder().awaitsTables()) {
            batches.receivedAt(nowMicros(), elapsedMicros());
            batches.sendEmpty(decoder());
        }
        return true;
    }

    /** Incomplete messages of all sessions hold too much, and this session's is the oldest. Called by any thread. */
    private void evict() {
        ctx.executor()
                .execute(() -> end(
                        SessionEnd.NO_ROOM,
                        "incomplete messages of all sessions exceed their bound and this one is the oldest, after %d bytes of it"
                                .formatted(buffer.rest())));
    }

    void closed() {
        int rest = buffer.rest();
        if (rest == 0) {
            end(SessionEnd.CLOSED, "connection closed");
        } else {
            end(SessionEnd.CLOSED_INSIDE_MESSAGE, "connection closed inside a message, after " + rest + " bytes of it");
        }
    }

    void failed(Throwable cause) {
        end(SessionEnd.LOST, "connection lost: " + cause.getMessage());
    }

    /**
     * Ends the session: sends the remaining whole messages, the last with the reason, when the turn has come and as the
     * address may send more, and drops an incomplete one. Only the first call has an effect.
     */
    private void end(SessionEnd why, String reason) {
        if (ended) {
            return;
        }
        ended = true;
        sessions.countEnd(why);
        dump.end();
        batches.receivedAt(nowMicros(), elapsedMicros());
        turn.close();
        reading.released(buffer.dropRest());
        partialMessages.change(partial, 0);
        if (buffer.messages() > 0) {
            turn.request(buffer.bytes(), buffer.wholeBytes());
        }
        turn.settle();
        unloggedEnd = reason;
        logEnd();
        if (!turn.isGranted() || !sendLast(reason, ctx::fireChannelRead)) {
            DetachedSender detached = new DetachedSender(ctx);
            deferredEnd = () -> {
                logEnd();
                return sendLast(reason, detached::send);
            };
        }
        ctx.close();
    }

    private void sendDeferredEnd() {
        BooleanSupplier end = deferredEnd;
        if (end != null && turn.isGranted() && end.getAsBoolean()) {
            deferredEnd = null;
        }
    }

    /**
     * Sends what is left of the ended session as the address may send it, or at once when the listener is closed, as at
     * a shutdown.
     *
     * @return false if some of it must wait
     */
    private boolean sendLast(String reason, Consumer<FrameBatch> to) {
        boolean isComplete = batches.sendLast(decoder(), reason, listener != null && listener.isClosed(), to);
        if (isComplete) {
            awaitAdmission(false);
        }
        return isComplete;
    }

    /** Returns the size of the connection's buffer in bytes, used or not. */
    int capacity() {
        return buffer.capacity();
    }

    private static long elapsedMicros() {
        return TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - STARTED_NANOS);
    }

    private static long nowMicros() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, ReceiveClock.SYSTEM.instant());
    }
}
