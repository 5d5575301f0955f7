package dev.silkroute.live;

import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.VerdictCodes;
import java.util.List;

/** Messages that are published together. */
sealed interface StreamBatch {
    /** The number of messages. */
    int messages();

    /** The size in memory while the messages are kept for subscribers that resume. */
    int bytes();

    /**
     * The messages of a route batch, one for each group.
     *
     * @param verdicts of the RPKI about each event
     */
    record Routes(RouteBatch batch, VerdictCodes verdicts) implements StreamBatch {
        @Override
        public int messages() {
            return batch.groupCount();
        }

        @Override
        public int bytes() {
            return batch.bytes().length + verdicts.size();
        }
    }

    /**
     * A change of an alert, which is decoded only if a subscriber may receive it.
     *
     * @param record of {@code bmp.alerts}
     */
    record OfAlert(byte[] record) implements StreamBatch {
        @Override
        public int messages() {
            return 1;
        }

        @Override
        public int bytes() {
            return record.length;
        }
    }

    /** The BGP messages that a record of {@code bmp.peers} reports. */
    record OfPeer(List<PeerMessage> all) implements StreamBatch {
        @Override
        public int messages() {
            return all.size();
        }

        @Override
        public int bytes() {
            return all.stream().mapToInt(message -> message.json().length).sum();
        }
    }
}
