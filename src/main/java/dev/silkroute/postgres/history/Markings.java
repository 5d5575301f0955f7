package dev.silkroute.postgres.history;

import dev.silkroute.bgp.PathMarking;
import dev.silkroute.postgres.copy.CopiedRow;
import dev.silkroute.postgres.copy.CopyBinary;

/** Path markings as two columns: the status bitmap, null without a marking, and the reason, null without one. */
public final class Markings {
    private Markings() {}

    public static void write(CopyBinary row, long marking) {
        if (PathMarking.isMarked(marking)) {
            row.unsigned(PathMarking.status(marking));
        } else {
            row.nullField();
        }
        if (PathMarking.hasReason(marking)) {
            row.int4(PathMarking.reason(marking));
        } else {
            row.nullField();
        }
    }

    /** Reads the two columns, beginning with the given one. */
    public static long read(CopiedRow row, int column) {
        if (row.isNull(column)) {
            return PathMarking.NONE;
        }
        int status = (int) row.number(column);
        return row.isNull(column + 1) ? PathMarking.of(status) : PathMarking.of(status, row.integer(column + 1));
    }
}
