package dev.silkroute.bmp;

import dev.silkroute.net.ByteCursor;
import java.util.ArrayList;
import java.util.List;

/**
 * Statistics Report (RFC 7854, Section 4.8).
 *
 * <pre>
 * u32 count | count times: u16 type | u16 length | value
 * </pre>
 *
 * @param announced the count that the message says; more TLVs than that are read all the same
 */
public record StatisticsReport(long announced, List<Statistic> statistics) {

    /** {@code from} is the byte after the per-peer header. */
    public static StatisticsReport decode(byte[] b, int from, int to) {
        ByteCursor cursor = new ByteCursor(b, from, to, "RFC 7854, Section 4.8");
        long count = cursor.u32();
        List<Statistic> statistics = new ArrayList<>();
        while (cursor.hasRemaining()) {
            int type = cursor.u16();
            statistics.add(Statistic.of(type, cursor.bytes(cursor.u16())));
        }
        if (statistics.size() < count) {
            throw cursor.fault(count + " statistics announced, " + statistics.size() + " there");
        }
        return new StatisticsReport(count, List.copyOf(statistics));
    }
}
