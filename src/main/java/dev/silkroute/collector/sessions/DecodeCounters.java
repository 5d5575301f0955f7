package dev.silkroute.collector.sessions;

import dev.silkroute.bgp.DecodeOutcome;
import dev.silkroute.session.Anomaly;
import dev.silkroute.session.DecodedBatch;
import dev.silkroute.session.LaneName;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/** Counts what all sessions together have decoded since the start, for the station's metrics. Thread-safe. */
public final class DecodeCounters {
    /** Message types 0 to 6, and 7 for all unknown types. */
    public static final int MESSAGE_TYPES = 8;

    private final LongAdder batches = new LongAdder();
    private final LongAdder events = new LongAdder();
    private final LongAdder[] messages = adders(MESSAGE_TYPES);
    private final LongAdder[] outcomes = adders(DecodeOutcome.Kind.values().length);
    private final LongAdder[] anomalies = adders(Anomaly.values().length);
    private final LongAdder[] records = adders(LaneName.values().length);

    private static LongAdder[] adders(int count) {
        return Stream.generate(LongAdder::new).limit(count).toArray(LongAdder[]::new);
    }

    public void add(DecodedBatch batch) {
        batches.increment();
        events.add(batch.events());
        for (int type = 0; type < MESSAGE_TYPES; type++) {
            add(messages[type], batch.messages(type));
        }
        for (DecodeOutcome.Kind kind : DecodeOutcome.Kind.values()) {
            add(outcomes[kind.ordinal()], batch.outcomes(kind));
        }
        for (Anomaly anomaly : Anomaly.values()) {
            add(anomalies[anomaly.ordinal()], batch.anomalies(anomaly));
        }
        for (LaneName lane : LaneName.values()) {
            add(records[lane.ordinal()], batch.records(lane).size());
        }
    }

    private static void add(LongAdder adder, long count) {
        if (count != 0) {
            adder.add(count);
        }
    }

    public long batches() {
        return batches.sum();
    }

    /** Returns the number of events of the routes lane. */
    public long events() {
        return events.sum();
    }

    public long messages(int type) {
        return messages[type].sum();
    }

    public long outcomes(DecodeOutcome.Kind kind) {
        return outcomes[kind.ordinal()].sum();
    }

    public long anomalies(Anomaly anomaly) {
        return anomalies[anomaly.ordinal()].sum();
    }

    /** Returns the number of records of a lane other than routes. */
    public long records(LaneName lane) {
        return records[lane.ordinal()].sum();
    }
}
