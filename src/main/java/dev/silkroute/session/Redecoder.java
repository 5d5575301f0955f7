package dev.silkroute.session;

import dev.silkroute.bmp.BmpMessages;
import dev.silkroute.bmp.FrameScanner;
import dev.silkroute.net.DecodeException;
import dev.silkroute.session.identity.RouterIdentity;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.function.LongPredicate;

/**
 * Decodes the messages of one past session again, in their order and with their original numbers and times. Only the
 * selected messages are output; the others restore the session's state at that time: peers, the capabilities of their
 * OPENs, and how their UPDATEs turned out to be encoded.
 *
 * <p>Not thread-safe.
 */
public final class Redecoder {
    private final BmpSession session;

    /** Takes the output: a run of consecutive selected messages. */
    @FunctionalInterface
    public interface Output {
        /**
         * @param firstMessage number of the run's first message within the session
         * @param messages number of messages in the run
         */
        void decoded(long firstMessage, int messages, DecodedBatch batch);
    }

    /**
     * @param config how to decode; its collector is replaced by the session's own
     * @param router the name that the router had in the session
     * @param fromBeginning whether the session's first message is the first to be decoded
     */
    public Redecoder(
            SessionConfig config,
            String collector,
            String router,
            long id,
            InetAddress address,
            boolean fromBeginning) {
        SessionConfig own = new SessionConfig(
                collector,
                config.maxPeers(),
                config.addPath(),
                config.addPathOfRouters(),
                config.neighborRoles(),
                TableDumpLimits.NONE);
        session = BmpSession.redecoding(own, id, address, RouterIdentity.configured(router), fromBeginning);
    }

    /**
     * Returns the number of whole messages in an array.
     *
     * @throws DecodeException if it contains anything else
     */
    public static int messages(byte[] bytes) {
        FrameScanner scanner = new FrameScanner(Integer.MAX_VALUE);
        scanner.scan(bytes, 0, bytes.length);
        if (scanner.end() != bytes.length) {
            throw new DecodeException("not a sequence of whole BMP messages", scanner.end(), "RFC 7854, Section 4.1");
        }
        return scanner.messages();
    }

    /**
     * Decodes whole messages, which must follow those of the previous call.
     *
     * @param firstMessage number of the first message within the session
     * @param receivedMicros when they were read from the socket, microseconds since 1970
     * @param selected tests a message's number
     */
    public void decode(byte[] bytes, long firstMessage, long receivedMicros, LongPredicate selected, Output output) {
        int from = 0;
        int at = 0;
        long first = firstMessage;
        long message = firstMessage;
        boolean isSelected = selected.test(firstMessage);
        while (at < bytes.length) {
            at += BmpMessages.length(bytes, at);
            message++;
            boolean isNextSelected = at < bytes.length && selected.test(message);
            if (isNextSelected != isSelected || at == bytes.length) {
                DecodedBatch batch = session.decode(Arrays.copyOfRange(bytes, from, at), first, receivedMicros, null);
                if (isSelected) {
                    output.decoded(first, (int) (message - first), batch);
                }
                from = at;
                first = message;
                isSelected = isNextSelected;
            }
        }
    }
}
