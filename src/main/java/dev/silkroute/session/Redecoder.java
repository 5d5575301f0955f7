package dev.silkroute.session;

import dev.silkroute.bmp.BmpMessages;
import dev.silkroute.bmp.FrameScanner;
import dev.silkroute.net.DecodeException;
import dev.silkroute.session.identity.RouterIdentity;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.function.LongPredicate;

/**
 * One past session's messages through the decoder again, in their order, with the numbers and times that they had. Those that
 * are wanted come out; the others are only there so that the session knows what it knew then: peers, what their OPENs agreed
 * on, how their UPDATEs turned out to be written.
 *
 * <p>Not thread-safe.
 */
public final class Redecoder {
    private final BmpSession session;

    /** Takes what comes out: a run of wanted messages that stood one after the other. */
    @FunctionalInterface
    public interface Output {
        /**
         * @param firstMessage number of the run's first message within the session
         * @param messages how many they are
         */
        void decoded(long firstMessage, int messages, DecodedBatch batch);
    }

    /**
     * @param config how to decode; collector and names are the session's own, see the next two
     * @param router the identity that the session had; its messages don't decide it again
     * @param fromItsBeginning whether the session's first message is the first one that comes
     */
    public Redecoder(
            SessionConfig config,
            String collector,
            String router,
            long id,
            InetAddress address,
            boolean fromItsBeginning) {
        SessionConfig own = new SessionConfig(
                collector, config.maxPeers(), config.addPath(), config.addPathOfRouters(), TableDumpLimits.NONE);
        session = new BmpSession(own, id, address, RouterIdentity.configured(router));
        if (!fromItsBeginning) {
            session.resume();
        }
    }

    /**
     * How many whole messages the bytes are.
     *
     * @throws DecodeException if they are anything else
     */
    public static int messages(byte[] bytes) {
        FrameScanner scanner = new FrameScanner(Integer.MAX_VALUE);
        scanner.scan(bytes, 0, bytes.length);
        if (scanner.end() != bytes.length) {
            throw new DecodeException("no run of whole BMP messages", scanner.end(), "RFC 7854, Section 4.1");
        }
        return scanner.messages();
    }

    /**
     * Decodes whole messages, the ones after those that came before.
     *
     * @param firstMessage number of the first one within the session
     * @param receivedMicros when they were read from the socket, microseconds since 1970
     * @param wanted by a message's number
     */
    public void decode(byte[] bytes, long firstMessage, long receivedMicros, LongPredicate wanted, Output output) {
        int from = 0;
        int at = 0;
        long first = firstMessage;
        long message = firstMessage;
        boolean want = wanted.test(firstMessage);
        while (at < bytes.length) {
            at += BmpMessages.length(bytes, at);
            message++;
            boolean next = at < bytes.length && wanted.test(message);
            if (next != want || at == bytes.length) {
                DecodedBatch batch = session.decode(Arrays.copyOfRange(bytes, from, at), first, receivedMicros, null);
                if (want) {
                    output.decoded(first, (int) (message - first), batch);
                }
                from = at;
                first = message;
                want = next;
            }
        }
    }
}
