package dev.silkroute.rib;

import java.util.Map;

/**
 * Counters of a RIB at some moment, for metrics and health.
 *
 * @param routes live routes
 * @param hidden routes of ended tables that are still to be purged
 * @param prefixes distinct keys: prefixes per table and RD, and NLRI of other families
 * @param attributeSets distinct attribute sets
 * @param tables tables of peers, views and families
 * @param peers peers known
 * @param reservedBytes memory reserved
 * @param limitBytes limit of the memory reserved
 * @param indexBytes memory of the indexes of attributes, which is not part of that
 * @param pendingReclaim removed items whose memory is held back by readers
 * @param readers registered readers
 * @param rejectedTotal announcements rejected for lack of memory or of a table, and routes that could not be loaded,
 *     since the start
 * @param rejected announcements rejected since their table or its session began: if not 0, the RIB lacks routes that
 *     routers have announced
 * @param evicted routes of the router with most routes that were removed to make room for others, since the start
 * @param outcomes events by outcome, since the start
 */
public record RibStatistics(
        long routes,
        long hidden,
        long prefixes,
        long attributeSets,
        long tables,
        long peers,
        long reservedBytes,
        long limitBytes,
        long indexBytes,
        long pendingReclaim,
        long readers,
        long rejectedTotal,
        long rejected,
        long evicted,
        Map<RouteOutcome, Long> outcomes) {

    /** Returns whether routes are missing because they were rejected or could not be loaded: an alarm. */
    public boolean hasRejected() {
        return rejected > 0;
    }
}
