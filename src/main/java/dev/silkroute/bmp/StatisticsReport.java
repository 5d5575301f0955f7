package dev.silkroute.bmp;

import dev.silkroute.net.ByteCursor;
import dev.silkroute.net.DecodeException;
import java.util.List;

/**
 * Statistics Report (RFC 7854, Section 4.8).
 *
 * <pre>
 * u32 count | count times: u16 type | u16 length | value
 * </pre>
 *
 * In version 4 this may be so, or it is itself the value of a TLV, with other TLVs beside (draft-ietf-grow-bmp-tlv-20, Section 5.4).
 *
 * @param announced the count that the message says; more TLVs than that are read all the same
 */
public record StatisticsReport(long announced, List<Statistic> statistics) {
    private static final String SECTION = "RFC 7854, Section 4.8";

    /** Stats TLV of version 4. Drafts after -19 have it; code points of other TLVs beside it were never fixed. */
    private static final int STATS = 1;

    /** As version 3 has it; {@code from} is the byte after the per-peer header. */
    public static StatisticsReport decode(byte[] b, int from, int to) {
        return decode(b, from, to, BmpMessages.VERSION);
    }

    /** {@code from} is the byte after the per-peer header. */
    public static StatisticsReport decode(byte[] b, int from, int to, int version) {
        boolean wrapped = version >= BmpMessages.VERSION_4
                && to - from >= 2
                // Or else a count of 65,536 statistics and more, which no message has.
                && new ByteCursor(b, from, to, SECTION).u16() != 0;
        return wrapped ? wrapped(b, from, to, version) : report(new ByteCursor(b, from, to, SECTION), version);
    }

    /** The first TLV of type 1 that is a report; another of the same code does not fit the layout. */
    private static StatisticsReport wrapped(byte[] b, int from, int to, int version) {
        ByteCursor cursor = new ByteCursor(b, from, to, "draft-ietf-grow-bmp-tlv-20, Section 5.4");
        StatisticsReport found = null;
        DecodeException problem = null;
        while (cursor.hasRemaining()) {
            int type = cursor.u16();
            ByteCursor value = cursor.slice(cursor.u16(), SECTION);
            if (type == STATS && found == null) {
                try {
                    found = report(value, version);
                } catch (DecodeException e) {
                    problem = problem == null ? e : problem;
                }
            }
        }
        if (found == null) {
            throw problem == null ? cursor.fault("no Stats TLV") : problem;
        }
        return found;
    }

    private static StatisticsReport report(ByteCursor cursor, int version) {
        long count = cursor.u32();
        List<Statistic> statistics =
                Tlv.readAll(cursor, version).stream().map(Statistic::of).toList();
        if (statistics.size() < count) {
            throw cursor.fault(count + " statistics announced, " + statistics.size() + " there");
        }
        return new StatisticsReport(count, statistics);
    }
}
