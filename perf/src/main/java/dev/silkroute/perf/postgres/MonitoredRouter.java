package dev.silkroute.perf.postgres;

import dev.silkroute.bmp.BmpMessages;
import dev.silkroute.bmp.MessageType;
import dev.silkroute.load.LoadPlan;
import dev.silkroute.load.LoadRouter;
import dev.silkroute.net.BigEndian;
import dev.silkroute.net.ByteSink;
import dev.silkroute.session.BmpSession;
import dev.silkroute.session.SessionConfig;
import dev.silkroute.session.identity.RouterIdentifier;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/**
 * A synthetic router's session, decoded into records as the collector does it: one for what one read of the socket
 * gave.
 */
final class MonitoredRouter {
    private static final SessionConfig CONFIG = new SessionConfig("perf", 20_000);
    private static final int READ_BYTES = 1 << 16;
    private static final int KEPT_OF = 4;
    private static final int TRANSIT_MICROS = 20_000;
    /** The offset of the time in a message: after the common header, within the per-peer header. */
    private static final int SECONDS = BmpMessages.COMMON_HEADER_LENGTH + 34;

    private final LoadRouter router;
    private final long sessionId;
    private final InetAddress address;
    private @Nullable BmpSession session;
    private final boolean fewWithdrawals;
    private final ByteSink read = new ByteSink(READ_BYTES + (1 << 12));
    private final ByteSink step = new ByteSink(1 << 12);
    private long messages;
    private long decoded;
    private long withdrawals;

    /**
     * @param session its id
     * @param fewWithdrawals three of four withdrawals are left out: what they ended is then replaced later, or stays
     */
    MonitoredRouter(LoadPlan plan, int number, long session, boolean fewWithdrawals) {
        router = plan.router(number);
        sessionId = session;
        address = address(number);
        this.fewWithdrawals = fewWithdrawals;
    }

    private static InetAddress address(int number) {
        try {
            return InetAddress.getByAddress(new byte[] {10, 0, 0, (byte) (number + 1)});
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Everything up to the first change: Peer Ups, tables, End-of-RIBs, statistics. */
    void tables(TransactionFeed feed) {
        int count = 1;
        while (!router.isChanging() && count > 0) {
            count = router.next(read);
            messages += count;
            flush(feed, READ_BYTES);
        }
        flush(feed, 1);
    }

    void change(TransactionFeed feed) {
        step.reset();
        long before = router.withdrawn();
        int count = router.next(step);
        int from = 0;
        if (fewWithdrawals && router.withdrawn() > before && withdrawals++ % KEPT_OF != 0) {
            from = BmpMessages.length(step.array(), 0); // the withdrawal comes first
            count--;
        }
        read.bytes(step.array(), from, step.position());
        messages += count;
        flush(feed, READ_BYTES);
    }

    /** Decodes what has gathered, if it is so many bytes. */
    void flush(TransactionFeed feed, int least) {
        if (read.position() >= least) {
            byte[] bytes = read.toByteArray();
            long time = feed.nextTime();
            writeTime(bytes, time);
            if (session == null) {
                session = new BmpSession(CONFIG, sessionId, address, RouterIdentifier.identify(address, bytes));
            }
            byte[] routes = session.decode(bytes, decoded, time, null).routes();
            decoded = messages;
            read.reset();
            if (routes.length > 0) {
                feed.add(routes);
            }
        }
    }

    /**
     * Synthetic routers have no clock; most others write the time into each per-peer header (RFC 7854, Section 4.2).
     */
    private static void writeTime(byte[] bytes, long received) {
        long micros = received - TRANSIT_MICROS;
        for (int at = 0; at < bytes.length; at += BmpMessages.length(bytes, at)) {
            MessageType type = MessageType.of(BmpMessages.type(bytes, at));
            if (type != null && type.hasPerPeerHeader()) {
                BigEndian.putU32(bytes, at + SECONDS, (int) (micros / 1_000_000));
                BigEndian.putU32(bytes, at + SECONDS + Integer.BYTES, (int) (micros % 1_000_000));
                micros++;
            }
        }
    }
}
