package dev.silkroute.load;

import dev.silkroute.bgp.DecodeOutcome;
import dev.silkroute.bmp.MessageType;
import java.util.EnumMap;
import java.util.Map;

/** Counts the malformed messages of one router over all its sessions. Not thread-safe. */
final class MalformedCounter {
    private final long[] counts = new long[Malformation.values().length];
    private long total;

    void add(Malformation malformation) {
        counts[malformation.ordinal()]++;
        total++;
    }

    long total() {
        return total;
    }

    MalformedCounts counts() {
        Map<MessageType, Long> quarantined = new EnumMap<>(MessageType.class);
        Map<DecodeOutcome.Kind, Long> outcomes = new EnumMap<>(DecodeOutcome.Kind.class);
        for (Malformation malformation : Malformation.values()) {
            long count = counts[malformation.ordinal()];
            DecodeOutcome.Kind outcome = malformation.outcome();
            if (count > 0 && outcome == null) {
                quarantined.merge(malformation.messageType(), count, Long::sum);
            } else if (count > 0 && outcome != null) {
                outcomes.merge(outcome, count, Long::sum);
            }
        }
        return new MalformedCounts(total, quarantined, outcomes);
    }
}
