package dev.silkroute.bmp;

import dev.silkroute.net.ByteCursor;
import dev.silkroute.net.DecodeException;
import java.util.List;

/**
 * A Statistics Report message (RFC 7854, Section 4.8; RFC 8671, Section 6.2; RFC 9972).
 *
 * <pre>
 * u32 count | count times: u16 type | u16 length | value
 * </pre>
 *
 * In version 4, this is the body, or the value of a TLV with other TLVs beside it (draft-ietf-grow-bmp-tlv-20, Section
 * 5.4).
 *
 * @param announced the count in the message; TLVs beyond it are read as well
 */
public record StatisticsReport(long announced, List<Statistic> statistics) {
    private static final String SECTION = "RFC 7854, Section 4.8";

    /** The Stats TLV of version 4, in drafts after -19. The codes of other TLVs beside it were never assigned. */
    private static final int STATS = 1;

    /** Decodes a body. @param from the byte after the per-peer header */
    public static StatisticsReport decode(byte[] b, int from, int to, int version) {
        boolean wrapped = version >= BmpMessages.VERSION_4
                && to - from >= 2
                // As a count, this would mean 65,536 statistics or more, which no message can contain.
                && new ByteCursor(b, from, to, SECTION).u16() != 0;
        return wrapped ? wrapped(b, from, to, version) : report(new ByteCursor(b, from, to, SECTION), version);
    }

    /** Decodes the first TLV of type 1 that is a report; other TLVs with this code do not have its layout. */
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
            throw problem == null ? BmpFault.NO_STATISTICS.at(cursor.position()) : problem;
        }
        return found;
    }

    private static StatisticsReport report(ByteCursor cursor, int version) {
        long count = cursor.u32();
        List<Statistic> statistics =
                Tlv.readAll(cursor, version).stream().map(Statistic::of).toList();
        if (statistics.size() < count) {
            throw BmpFault.MISSING_STATISTICS.at(cursor.position(), count, statistics.size());
        }
        return new StatisticsReport(count, statistics);
    }
}
