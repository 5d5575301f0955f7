package dev.silkroute.collector.transport;

import dev.silkroute.bmp.FramingFault;
import dev.silkroute.collector.sessions.SessionEnd;
import dev.silkroute.collector.sessions.SessionRegistry;
import dev.silkroute.collector.turns.RouterTurn;
import dev.silkroute.session.BmpSession;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Frames the byte stream of one connection and hands on batches of whole messages.
 *
 * <p>A batch leaves when nothing or only one batch is under way, or when it is large: so a quiet session sees every
 * message at once, and a busy one gives batches that grow with what Kafka takes to answer. Reading pauses while the
 * session holds more than its bound or all sessions together hold more than theirs; the router then sees its TCP window
 * close, and nothing is lost. A session whose router has an earlier one that is not through waits for its turn in the same way. There
 * is no idle time-out between messages, since BMP has no keep-alive; only a message that was begun must go on.
 *
 * <p>All state is touched by the channel's event loop only; exchanges that are done come back to it as tasks.
 */
public final class BmpFrameHandler extends ChannelInboundHandlerAdapter {
    private static final Logger LOGGER = LoggerFactory.getLogger(BmpFrameHandler.class);
    private static final int UNDER_WAY = 2;

    private final SessionLimits limits;
    private final MemoryBudget budget;
    private final SessionRegistry sessions;
    private final Function<Channel, BmpSession> open;
    private final StreamBuffer buffer;
    private final Runnable resume = this::resumeLater;
    private final PartialMessages.Share partial = new PartialMessages.Share(this::giveUp);
    private final SilenceWatch silence;
    private final TableWatch tables;
    private final LastBytes lastBytes = new LastBytes();

    private @Nullable BmpSession session;
    private @Nullable ChannelHandlerContext context;
    private @Nullable Connections connections;
    private @Nullable RouterTurn turn;
    private @Nullable LastBatch lastBatch;
    private long lastReadMicros;
    private long held;
    private int underWay;
    private boolean dead;

    public BmpFrameHandler(
            SessionLimits limits, MemoryBudget budget, SessionRegistry sessions, Function<Channel, BmpSession> open) {
        this.limits = limits;
        this.budget = budget;
        this.sessions = sessions;
        this.open = open;
        buffer = new StreamBuffer(limits);
        silence = new SilenceWatch(limits.silence(), this::incomplete, this::endSilent);
        tables = new TableWatch(limits.tableCheck(), this::checkTables);
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        context = ctx;
        if (!sessions.take()) {
            dead = true;
            LOGGER.warn(
                    "BMP connection from {} refused: the limit of {} sessions is reached",
                    ctx.channel().remoteAddress(),
                    sessions.max());
            ctx.close();
            return;
        }
        BmpSession opened = open.apply(ctx.channel());
        opened.heard(micros());
        session = opened;
        sessions.add(opened);
        turn = new RouterTurn(sessions.turns(), opened, ctx.executor(), () -> proceed(ctx), this::makeWay);
        if (ctx.channel().parent() != null) {
            connections = Connections.of(ctx.channel().parent());
            connections.add(ctx);
        }
        silence.heard(ctx);
        tables.begin(ctx);
        ctx.fireChannelActive();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf read = (ByteBuf) message;
        try {
            if (dead) {
                return;
            }
            lastReadMicros = micros();
            session().heard(lastReadMicros);
            lastBytes.heard();
            int length = read.readableBytes();
            buffer.append(read);
            held += length;
            budget.take(length);
        } finally {
            read.release();
        }
        scan(ctx);
    }

    private void scan(ChannelHandlerContext ctx) {
        long whole = buffer.all();
        FramingFault fault = buffer.scan();
        if (fault != null) {
            end(SessionEnd.of(fault), buffer.text(fault));
        } else {
            if (buffer.all() > whole) {
                budget.partialMessages().change(partial, 0); // what is incomplete now is another message
            }
            emitIfDue(ctx);
            pauseIfFull(ctx);
            budget.partialMessages().change(partial, buffer.rest());
            silence.heard(ctx);
        }
    }

    /** Bytes that its buffer takes, used or not. */
    int room() {
        return buffer.room();
    }

    /** Whether more bytes are due: a message was begun, or the connection's first one was not. */
    private boolean incomplete() {
        return !dead && (buffer.rest() > 0 || buffer.all() == 0);
    }

    private void endSilent() {
        end(
                SessionEnd.INCOMPLETE_MESSAGE,
                "no byte for %d s inside a message, %d bytes of it came"
                        .formatted(limits.silence().toSeconds(), buffer.rest()));
    }

    /** A batch without messages lets the session look at its tables; one with messages does so by itself. */
    private boolean checkTables() {
        ChannelHandlerContext ctx = context;
        if (dead || ctx == null) {
            return false;
        }
        if (buffer.taken() > 0
                && underWay == 0
                && buffer.messages() == 0
                && session().awaitsTables()) {
            lastReadMicros = micros();
            emit(ctx, null);
        }
        return true;
    }

    private void giveUp() {
        ChannelHandlerContext ctx = context;
        if (ctx != null) {
            ctx.executor()
                    .execute(() -> end(
                            SessionEnd.NO_ROOM,
                            "no room for incomplete messages, and this is the oldest of all sessions, %d bytes of it came"
                                    .formatted(buffer.rest())));
        }
    }

    private void emitIfDue(ChannelHandlerContext ctx) {
        while (buffer.messages() > 0 && (underWay < UNDER_WAY || buffer.wholeTo() >= limits.batch()) && hasTurn()) {
            emit(ctx, null);
        }
    }

    private boolean hasTurn() {
        return buffer.messages() == 0 && !waits() || turn().has(buffer.bytes(), buffer.wholeTo());
    }

    private boolean waits() {
        return turn != null && turn.waits();
    }

    /** Earlier sessions of the router are through. */
    private void proceed(ChannelHandlerContext ctx) {
        LastBatch last = lastBatch;
        if (last != null) {
            emitAll(ctx, last.reason(), last::send);
        } else {
            emitIfDue(ctx);
            resumeIfRoom(ctx);
        }
    }

    /** The router has begun another session, which waits for this one. */
    private void makeWay(String newer) {
        ChannelHandlerContext ctx = context;
        if (ctx != null && !dead) {
            String reason = "the router has begun " + newer;
            lastBytes.await(ctx, () -> end(SessionEnd.SUPERSEDED, reason));
        }
    }

    private void emit(ChannelHandlerContext ctx, @Nullable String end) {
        ctx.fireChannelRead(batch(ctx, end));
    }

    /** All whole messages that are left, in as many batches as it takes, and with the last why the session ended. */
    private void emitAll(ChannelHandlerContext ctx, String end, Consumer<FrameBatch> to) {
        while (buffer.wholeTo() > limits.batch()) {
            to.accept(batch(ctx, null));
        }
        to.accept(batch(ctx, end));
    }

    /** The next whole messages, as a batch that is under way from now on. */
    private FrameBatch batch(ChannelHandlerContext ctx, @Nullable String end) {
        long first = buffer.taken();
        byte[] batch = buffer.take(limits.batch());
        underWay++;
        BmpSession owner = session();
        RouterTurn ownTurn = turn();
        int length = batch.length;
        return new FrameBatch(owner, batch, first, lastReadMicros, end, () -> {
            ctx.executor().execute(() -> done(ctx, length));
            if (end != null) {
                sessions.remove(owner);
                ownTurn.leave();
            }
        });
    }

    /** An exchange is done: Kafka has acknowledged everything that came of it. */
    private void done(ChannelHandlerContext ctx, int length) {
        underWay--;
        held -= length;
        budget.give(length);
        if (!dead) {
            emitIfDue(ctx);
            if (underWay == 0) {
                buffer.trim();
            }
        } else if (underWay == 0 && !waits() && connections != null) {
            connections.done(ctx);
        }
        resumeIfRoom(ctx);
    }

    /** The session is over: what is whole goes on with the reason, in its turn; what isn't is dropped, and the reason says so. */
    private void end(SessionEnd why, String reason) {
        ChannelHandlerContext ctx = context;
        if (dead || ctx == null) {
            return;
        }
        dead = true;
        sessions.countEnd(why);
        LOGGER.info("BMP session {} ended after {} messages: {}", session(), buffer.all(), reason);
        lastReadMicros = micros();
        turn().close();
        int dropped = buffer.dropRest();
        held -= dropped;
        budget.give(dropped);
        budget.partialMessages().change(partial, 0);
        if (hasTurn()) {
            emitAll(ctx, reason, ctx::fireChannelRead);
        } else {
            lastBatch = new LastBatch(ctx, reason);
        }
        ctx.close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        int rest = buffer.rest();
        if (rest == 0) {
            end(SessionEnd.CLOSED, "connection closed");
        } else {
            end(SessionEnd.CLOSED_INSIDE_MESSAGE, "connection closed inside a message, " + rest + " bytes of it came");
        }
        ctx.fireChannelInactive();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        end(SessionEnd.LOST, "connection lost: " + cause.getMessage());
        ctx.close();
    }

    /** A session with nothing under way reads on whatever the bounds say: its message must become whole to leave. */
    private boolean mustRead() {
        return underWay == 0 && !waits();
    }

    private void pauseIfFull(ChannelHandlerContext ctx) {
        if (mustRead()) {
            return;
        }
        if (held > limits.session()) {
            ctx.channel().config().setAutoRead(false);
        } else if (budget.isExhausted()) {
            ctx.channel().config().setAutoRead(false);
            budget.await(resume);
        }
    }

    private void resumeLater() {
        ChannelHandlerContext ctx = context;
        if (ctx != null) {
            ctx.executor().execute(() -> resumeIfRoom(ctx));
        }
    }

    private void resumeIfRoom(ChannelHandlerContext ctx) {
        if (ctx.channel().config().isAutoRead() || !mustRead() && held > limits.session() / 2) {
            return;
        }
        if (!mustRead() && budget.isExhausted()) {
            budget.await(resume);
        } else {
            ctx.channel().config().setAutoRead(true);
        }
    }

    private BmpSession session() {
        BmpSession current = session;
        if (current == null) {
            throw new IllegalStateException("no connection yet");
        }
        return current;
    }

    private RouterTurn turn() {
        RouterTurn current = turn;
        if (current == null) {
            throw new IllegalStateException("no connection yet");
        }
        return current;
    }

    private static long micros() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }
}
