package dev.silkroute.session;

import dev.silkroute.bgp.Outcome;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What one batch of BMP messages says, by lane. Filled by one decode, then only read.
 */
public final class DecodedBatch {
    private static final int TYPES = 8;

    private final Map<LaneName, List<Map<String, Object>>> records = new EnumMap<>(LaneName.class);
    private final long[] messagesByType = new long[TYPES];
    private final long[] outcomes = new long[Outcome.Kind.values().length];
    private final long[] anomalies = new long[Anomaly.values().length];
    private byte[] routes = {};
    private int events;
    private String router = "";
    private boolean begins;

    DecodedBatch() {}

    void add(LaneName lane, Map<String, Object> record) {
        records.computeIfAbsent(lane, key -> new ArrayList<>()).add(record);
    }

    void countMessage(int type) {
        messagesByType[Math.min(type, TYPES - 1)]++;
    }

    void countOutcome(Outcome.Kind kind) {
        outcomes[kind.ordinal()]++;
    }

    void count(Anomaly anomaly) {
        count(anomaly, 1);
    }

    void count(Anomaly anomaly, int times) {
        anomalies[anomaly.ordinal()] += times;
    }

    void begin() {
        begins = true;
    }

    void finish(String identity, byte[] routeBatch, int eventCount) {
        router = identity;
        routes = routeBatch;
        events = eventCount;
    }

    /** Whether the session's first whole message is in this batch. */
    public boolean begins() {
        return begins;
    }

    /** The router's identity, the key of every record. */
    public String router() {
        return router;
    }

    /** One record of {@code bmp.routes}; empty if the batch has no route or peer event. */
    public byte[] routes() {
        return routes;
    }

    /** Events in {@link #routes()}. */
    public int events() {
        return events;
    }

    /** Records of a low-volume lane in their order: field names and values as JSON will have them. */
    public List<Map<String, Object>> records(LaneName lane) {
        return records.getOrDefault(lane, List.of());
    }

    /** Messages of a type; 7 stands for every unknown one. */
    public long messages(int type) {
        return messagesByType[type];
    }

    public long outcomes(Outcome.Kind kind) {
        return outcomes[kind.ordinal()];
    }

    public long anomalies(Anomaly anomaly) {
        return anomalies[anomaly.ordinal()];
    }
}
