package dev.silkroute.session;

import dev.silkroute.bgp.DecodeOutcome;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The events and records of one batch of BMP messages, by lane, and counts of them. Filled by one decode, then only
 * read.
 */
public final class DecodedBatch {
    /** An empty batch, for a session that decodes nothing. */
    static final DecodedBatch NONE = new DecodedBatch("");

    /** Message types 0 to 6, and one place for all unknown types. */
    private static final int TYPES = 8;

    private final String router;
    private final Map<LaneName, List<SessionRecord>> records = new EnumMap<>(LaneName.class);
    private final long[] messagesByType = new long[TYPES];
    private final long[] outcomes = new long[DecodeOutcome.Kind.values().length];
    private final long[] anomalies = new long[Anomaly.values().length];
    private byte[] routes = {};
    private int events;

    DecodedBatch(String router) {
        this.router = router;
    }

    void add(LaneName lane, SessionRecord record) {
        records.computeIfAbsent(lane, key -> new ArrayList<>()).add(record);
    }

    void countMessage(int type) {
        messagesByType[Math.min(type, TYPES - 1)]++;
    }

    void countOutcome(DecodeOutcome.Kind kind) {
        outcomes[kind.ordinal()]++;
    }

    void count(Anomaly anomaly) {
        count(anomaly, 1);
    }

    void count(Anomaly anomaly, int times) {
        anomalies[anomaly.ordinal()] += times;
    }

    void routes(byte[] routeBatch, int eventCount) {
        routes = routeBatch;
        events = eventCount;
    }

    /** Returns the router's name, the key of every record. */
    public String router() {
        return router;
    }

    /** Returns the value of one record of {@code bmp.routes}; empty if the batch has no route or peer event. */
    public byte[] routes() {
        return routes;
    }

    /** Returns the number of events in {@link #routes()}. */
    public int events() {
        return events;
    }

    /** Returns the records of a lane in their order; the routes lane has none. */
    public List<SessionRecord> records(LaneName lane) {
        return records.getOrDefault(lane, List.of());
    }

    /** Returns the number of messages of a type; 7 stands for all unknown types. */
    public long messages(int type) {
        return messagesByType[type];
    }

    public long outcomes(DecodeOutcome.Kind kind) {
        return outcomes[kind.ordinal()];
    }

    public long anomalies(Anomaly anomaly) {
        return anomalies[anomaly.ordinal()];
    }
}
