package dev.silkroute.load;

import dev.silkroute.bgp.Outcome;
import dev.silkroute.bmp.MessageType;
import java.util.EnumMap;
import java.util.Map;

/** Malformed messages of a router, all its sessions together. Not thread-safe. */
final class FaultTally {
    private final long[] counts = new long[Malformation.values().length];
    private long total;

    void add(Malformation kind) {
        counts[kind.ordinal()]++;
        total++;
    }

    long total() {
        return total;
    }

    ExpectedFaults expected() {
        Map<MessageType, Long> quarantined = new EnumMap<>(MessageType.class);
        Map<Outcome.Kind, Long> outcomes = new EnumMap<>(Outcome.Kind.class);
        for (Malformation kind : Malformation.values()) {
            long count = counts[kind.ordinal()];
            Outcome.Kind outcome = kind.outcome();
            if (count > 0 && outcome == null) {
                quarantined.merge(kind.messageType(), count, Long::sum);
            } else if (count > 0 && outcome != null) {
                outcomes.merge(outcome, count, Long::sum);
            }
        }
        return new ExpectedFaults(total, quarantined, outcomes);
    }
}
