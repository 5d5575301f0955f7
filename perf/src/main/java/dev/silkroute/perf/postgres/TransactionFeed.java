package dev.silkroute.perf.postgres;

import dev.silkroute.route.EventKind;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.RouteCursor;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** Records of {@code bmp.routes} in memory, grouped by the transactions that store them, and their content. */
public final class TransactionFeed {
    /** 2026-01-15 12:00 UTC, so that all of a feed is of one day. */
    private static final long BEGIN_MICROS = 1_768_478_400_000_000L;

    private static final long STEP_MICROS = 5_000;

    private final int transactionEvents;
    private final List<List<byte[]>> transactions = new ArrayList<>();
    private final Set<UUID> attributeSets = new HashSet<>();
    private List<byte[]> open = new ArrayList<>();
    private int openEvents;
    private long time;
    private long bytes;
    private long records;
    private long announced;
    private long withdrawn;

    /**
     * @param transactionEvents the number of events after which a transaction ends, at the end of a record
     * @param second seconds after the beginning of the first feed at which this one's records were received
     */
    public TransactionFeed(int transactionEvents, long second) {
        this.transactionEvents = transactionEvents;
        time = BEGIN_MICROS + second * 1_000_000;
    }

    long nextTime() {
        time += STEP_MICROS;
        return time;
    }

    void add(byte[] record) {
        RouteBatch batch = RouteBatch.read(record);
        for (int set = 0; set < batch.attributeSetCount(); set++) {
            attributeSets.add(new UUID(batch.hashHigh(set), batch.hashLow(set)));
        }
        RouteCursor event = batch.cursor();
        while (event.next()) {
            if (event.kind() == EventKind.ANNOUNCE) {
                announced++;
                openEvents++;
            } else if (event.kind() == EventKind.WITHDRAW) {
                withdrawn++;
                openEvents++;
            }
        }
        open.add(record);
        bytes += record.length;
        records++;
        if (openEvents >= transactionEvents) {
            endTransaction();
        }
    }

    void endTransaction() {
        if (!open.isEmpty()) {
            transactions.add(open);
            open = new ArrayList<>();
            openEvents = 0;
        }
    }

    public List<List<byte[]>> transactions() {
        return transactions;
    }

    /** Announcements and withdrawals. */
    public long events() {
        return announced + withdrawn;
    }

    public long withdrawn() {
        return withdrawn;
    }

    /** Distinct ones. */
    public int attributeSets() {
        return attributeSets.size();
    }

    public String describe() {
        return "%d events (%d withdrawals) in %d records of %d bytes on average, %d transactions, %d attribute sets"
                .formatted(
                        events(),
                        withdrawn,
                        records,
                        bytes / Math.max(1, records),
                        transactions.size(),
                        attributeSets.size());
    }
}
