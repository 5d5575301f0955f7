package dev.silkroute.component.bmp;

import dev.silkroute.bmp.FrameScanner;
import dev.silkroute.bmp.FramingFault;
import dev.silkroute.session.BmpSession;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.net.SocketAddress;
import java.time.Clock;
import java.time.Instant;
import java.util.Arrays;
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
 * close, and nothing is lost. There is no idle time-out: BMP has no keep-alive.
 *
 * <p>All state is touched by the channel's event loop only; exchanges that are done come back to it as tasks.
 */
final class BmpFrameHandler extends ChannelInboundHandlerAdapter {
    private static final Logger LOGGER = LoggerFactory.getLogger(BmpFrameHandler.class);
    private static final byte[] NONE = {};
    private static final int UNDER_WAY = 2;

    private final SessionLimits limits;
    private final MemoryBudget budget;
    private final Sessions sessions;
    private final Function<SocketAddress, BmpSession> open;
    private final FrameScanner scanner;
    private final Runnable resume = this::resumeLater;

    private @Nullable BmpSession session;
    private @Nullable ChannelHandlerContext context;
    private byte[] buffer = NONE;
    private int filled;
    private int wholeMessagesTo;
    private int wholeMessages;
    private long messagesSent;
    private long streamOffset;
    private long lastReadMicros;
    private long held;
    private int underWay;
    private boolean dead;

    BmpFrameHandler(
            SessionLimits limits, MemoryBudget budget, Sessions sessions, Function<SocketAddress, BmpSession> open) {
        this.limits = limits;
        this.budget = budget;
        this.sessions = sessions;
        this.open = open;
        scanner = new FrameScanner(limits.frame());
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        context = ctx;
        BmpSession opened = open.apply(ctx.channel().remoteAddress());
        session = opened;
        sessions.add(opened);
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
            append(read);
        } finally {
            read.release();
        }
        scan(ctx);
    }

    private void append(ByteBuf read) {
        int length = read.readableBytes();
        if (buffer.length - filled < length) {
            buffer = Arrays.copyOf(buffer, Math.max(filled + length, Math.min(2 * buffer.length, limits.session())));
        }
        read.readBytes(buffer, filled, length);
        filled += length;
        held += length;
    }

    private void scan(ChannelHandlerContext ctx) {
        scanner.scan(buffer, wholeMessagesTo, filled);
        wholeMessagesTo = scanner.end();
        wholeMessages += scanner.messages();
        FramingFault fault = scanner.fault();
        if (fault != null) {
            end(ctx, faultText(fault));
            ctx.close();
        } else {
            emitIfDue(ctx);
            pauseIfFull(ctx);
        }
    }

    private String faultText(FramingFault fault) {
        String text = "%s at offset %d of the stream".formatted(fault.text(), streamOffset + scanner.faultOffset());
        return messagesSent + wholeMessages == 0 ? text + ": no BMP router, it began with " + beginning() : text;
    }

    private String beginning() {
        StringBuilder text = new StringBuilder("'");
        for (int i = wholeMessagesTo; i < Math.min(filled, wholeMessagesTo + 16); i++) {
            boolean printable = buffer[i] >= ' ' && buffer[i] < 0x7F && buffer[i] != '\'';
            text.append(printable ? String.valueOf((char) buffer[i]) : "\\x%02x".formatted(buffer[i]));
        }
        return text.append('\'').toString();
    }

    private void emitIfDue(ChannelHandlerContext ctx) {
        if (wholeMessages > 0 && (underWay < UNDER_WAY || wholeMessagesTo >= limits.batch())) {
            emit(ctx, null);
        }
    }

    private void emit(ChannelHandlerContext ctx, @Nullable String end) {
        byte[] batch = Arrays.copyOf(buffer, wholeMessagesTo);
        int rest = filled - wholeMessagesTo;
        System.arraycopy(buffer, wholeMessagesTo, buffer, 0, rest);
        filled = rest;
        streamOffset += wholeMessagesTo;
        wholeMessagesTo = 0;
        long first = messagesSent;
        messagesSent += wholeMessages;
        wholeMessages = 0;
        underWay++;
        BmpSession owner = session();
        int length = batch.length;
        budget.take(length);
        ctx.fireChannelRead(new FrameBatch(owner, batch, first, lastReadMicros, end, () -> {
            ctx.executor().execute(() -> done(ctx, length));
            if (end != null) {
                sessions.remove(owner);
            }
        }));
    }

    /** An exchange is done: Kafka has acknowledged everything that came of it. */
    private void done(ChannelHandlerContext ctx, int length) {
        underWay--;
        held -= length;
        budget.give(length);
        if (!dead) {
            emitIfDue(ctx);
        }
        resumeIfRoom(ctx);
    }

    /** The session is over: what is whole goes on with the reason, what isn't is dropped and the reason says so. */
    private void end(ChannelHandlerContext ctx, String reason) {
        if (dead) {
            return;
        }
        dead = true;
        LOGGER.info("BMP session {} ended after {} messages: {}", session(), messagesSent + wholeMessages, reason);
        lastReadMicros = micros();
        emit(ctx, reason);
        held -= filled;
        buffer = NONE;
        filled = 0;
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        int rest = filled - wholeMessagesTo;
        end(ctx, rest == 0 ? "connection closed" : "connection closed inside a message, " + rest + " bytes of it came");
        ctx.fireChannelInactive();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        end(ctx, "connection lost: " + cause.getMessage());
        ctx.close();
    }

    private void pauseIfFull(ChannelHandlerContext ctx) {
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
        if (ctx.channel().config().isAutoRead() || held > limits.session() / 2) {
            return;
        }
        if (budget.isExhausted()) {
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

    private static long micros() {
        Instant now = Clock.systemUTC().instant();
        return now.getEpochSecond() * 1_000_000 + now.getNano() / 1000;
    }
}
