package dev.silkroute.postgres;

import dev.silkroute.bgp.PathMarking;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Path markings as two columns: the bitmap, null without a marking, and the reason, null without one. */
final class Markings {
    private Markings() {}

    static void write(CopyBinary row, long marking) {
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

    /** Of the two columns from one on. */
    static long read(ResultSet row, int column) throws SQLException {
        long status = row.getLong(column);
        if (row.wasNull()) {
            return PathMarking.NONE;
        }
        int reason = row.getInt(column + 1);
        return row.wasNull() ? PathMarking.of((int) status) : PathMarking.of((int) status, reason);
    }
}
