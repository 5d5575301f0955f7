package dev.silkroute.bmp;

import dev.silkroute.bgp.PathMarking;
import dev.silkroute.net.BigEndian;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The path markings of the NLRI of one UPDATE (draft-ietf-grow-bmp-path-marking-tlv). NLRI are numbered by their
 * position in the UPDATE, here from 0. Markings for an NLRI or group that does not exist are ignored and counted.
 *
 * <p>Reused from message to message; allocates only to grow. Not thread-safe.
 */
public final class PathMarkings {
    /**
     * A router marks each NLRI of a message once or twice. A malicious message could mark thousands of them a thousand
     * times each.
     */
    private static final int MAX_STEPS = 1 << 18;

    private static final int GROUPS = 0x8000;
    private static final int REASON_LENGTH = 6;

    private long[] markings = new long[0];
    private long all = PathMarking.NONE;
    /** Offset of each group's value, 0 for groups that do not exist. */
    private int @Nullable [] groups;

    private int count;
    private int ignored;
    private int steps;

    /** Reads the markings of a message. @param nlriCount number of NLRI in its UPDATE */
    public void read(RouteMonitoring message, byte[] b, int nlriCount) {
        count = nlriCount;
        ignored = 0;
        steps = 0;
        all = PathMarking.NONE;
        if (markings.length < nlriCount) {
            markings = new long[nlriCount];
        }
        Arrays.fill(markings, 0, nlriCount, PathMarking.NONE);
        IndexedTlvs tlvs = message.tlvs();
        boolean hasGroups = collectGroups(tlvs);
        tlvs.rewind();
        while (tlvs.next(RouteMonitoringTlv.PATH_MARKING)) {
            mark(b, tlvs.index(), marking(b, tlvs.valueFrom(), tlvs.valueTo()));
        }
        if (hasGroups) {
            clearGroups(tlvs);
        }
    }

    private boolean collectGroups(IndexedTlvs tlvs) {
        boolean hasGroups = false;
        tlvs.rewind();
        while (tlvs.next(RouteMonitoringTlv.GROUP)) {
            hasGroups = true;
            int[] known = groups;
            if (known == null) {
                known = new int[GROUPS];
                groups = known;
            }
            int group = tlvs.index() & ~IndexedTlvs.GROUP_BIT;
            if (known[group] == 0) {
                known[group] = tlvs.valueFrom();
            }
        }
        return hasGroups;
    }

    private void clearGroups(IndexedTlvs tlvs) {
        int[] known = groups;
        tlvs.rewind();
        while (known != null && tlvs.next(RouteMonitoringTlv.GROUP)) {
            known[tlvs.index() & ~IndexedTlvs.GROUP_BIT] = 0;
        }
    }

    private static long marking(byte[] b, int from, int to) {
        int status = BigEndian.i32(b, from);
        return to - from == REASON_LENGTH ? PathMarking.of(status, BigEndian.u16(b, from + 4)) : PathMarking.of(status);
    }

    private void mark(byte[] b, int index, long marking) {
        if (index == 0) {
            all = PathMarking.merge(all, marking);
        } else if ((index & IndexedTlvs.GROUP_BIT) == 0) {
            markOne(index, marking);
        } else {
            int[] known = groups;
            int at = known == null ? 0 : known[index & ~IndexedTlvs.GROUP_BIT];
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

    /** Returns the marking of an NLRI, {@link PathMarking#NONE} if it has none. */
    public long of(int nlri) {
        return PathMarking.merge(markings[nlri], all);
    }

    /** Returns the cost of reading the message: the number of times that an NLRI has been marked or ignored. */
    int steps() {
        return steps;
    }

    /** Returns the number of ignored markings. */
    public int ignored() {
        return ignored;
    }
}
