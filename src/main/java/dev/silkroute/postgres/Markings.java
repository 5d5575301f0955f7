package dev.silkroute.postgres;

import dev.silkroute.bgp.PathMarking;

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
}
