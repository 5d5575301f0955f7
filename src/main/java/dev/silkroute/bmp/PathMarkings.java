package dev.silkroute.bmp;

import dev.silkroute.bgp.PathMarking;
import dev.silkroute.net.BigEndian;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Which NLRI of an UPDATE are marked how (draft-ietf-grow-bmp-path-marking-tlv). NLRI are counted as they stand in the UPDATE, from 0 here. What
 * points to no NLRI or no group is ignored and counted.
 *
 * <p>Read again and again; not thread-safe. Allocates only to grow.
 */
public final class PathMarkings {
    /** An honest message marks each of its NLRI once or twice. A hostile one could mark thousands of them a thousand times each. */
    private static final int MAX_STEPS = 1 << 18;

    private static final int GROUPS = 0x8000;
    private static final int REASON_LENGTH = 6;

    private long[] markings = new long[0];
    private long all = PathMarking.NONE;

    /** Offset of each group's value, 0 for none. */
    private int @Nullable [] groups;

    private int count;
    private int ignored;
    private int steps;

    /** @param nlriCount NLRI in the UPDATE of the message that was read */
    public void read(RouteMonitoring message, byte[] b, int nlriCount) {
        count = nlriCount;
        ignored = 0;
        steps = 0;
        all = PathMarking.NONE;
        if (markings.length < nlriCount) {
            markings = new long[nlriCount];
        }
        Arrays.fill(markings, 0, nlriCount, PathMarking.NONE);
        boolean grouped = collectGroups(message);
        message.rewind();
        while (message.next()) {
            if (message.kind() == RouteMonitoringTlv.PATH_MARKING) {
                mark(b, message.index(), marking(b, message.valueFrom(), message.valueTo()));
            }
        }
        if (grouped) {
            forgetGroups(message);
        }
    }

    private boolean collectGroups(RouteMonitoring message) {
        boolean any = false;
        message.rewind();
        while (message.next()) {
            if (message.kind() == RouteMonitoringTlv.GROUP) {
                any = true;
                int[] known = groups;
                if (known == null) {
                    known = new int[GROUPS];
                    groups = known;
                }
                int group = message.index() & ~RouteMonitoring.GROUP_BIT;
                if (known[group] == 0) {
                    known[group] = message.valueFrom();
                }
            }
        }
        return any;
    }

    private void forgetGroups(RouteMonitoring message) {
        int[] known = groups;
        message.rewind();
        while (known != null && message.next()) {
            if (message.kind() == RouteMonitoringTlv.GROUP) {
                known[message.index() & ~RouteMonitoring.GROUP_BIT] = 0;
            }
        }
    }

    private static long marking(byte[] b, int from, int to) {
        int status = BigEndian.i32(b, from);
        return to - from == REASON_LENGTH ? PathMarking.of(status, BigEndian.u16(b, from + 4)) : PathMarking.of(status);
    }

    private void mark(byte[] b, int index, long marking) {
        if (index == 0) {
            all = PathMarking.merge(all, marking);
        } else if ((index & RouteMonitoring.GROUP_BIT) == 0) {
            markOne(index, marking);
        } else {
            int[] known = groups;
            int at = known == null ? 0 : known[index & ~RouteMonitoring.GROUP_BIT];
            if (at == 0 || steps > MAX_STEPS) {
                ignored++;
                return;
            }
            int to = at + BigEndian.u16(b, at - 4);
            for (; at < to && steps <= MAX_STEPS; at += 2) {
                markOne(BigEndian.u16(b, at), marking);
            }
        }
    }

    private void markOne(int index, long marking) {
        steps++;
        if (index == 0 || index > count || steps > MAX_STEPS) {
            ignored++;
        } else {
            markings[index - 1] = PathMarking.merge(markings[index - 1], marking);
        }
    }

    /** The marking of an NLRI, {@link PathMarking#NONE} if it has none. */
    public long of(int nlri) {
        return PathMarking.merge(markings[nlri], all);
    }

    /** What reading the message took: single NLRI marked or passed over. */
    int steps() {
        return steps;
    }

    /** Markings that point to nothing. */
    public int ignored() {
        return ignored;
    }
}
