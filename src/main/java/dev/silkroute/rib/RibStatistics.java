package dev.silkroute.rib;

import java.util.Map;

/**
 * Numbers of a RIB at some moment, for metrics and health.
 *
 * @param routes live routes
 * @param hidden routes of ended tables that are still to be swept
 * @param prefixes distinct keys: prefixes per table and RD, and NLRI of other families
 * @param attributeSets distinct attribute sets
 * @param tables tables of peers, views and families
 * @param peers peers known
 * @param reservedBytes memory reserved
 * @param limitBytes memory that may be
 * @param waiting removed things whose memory readers may still be looking at
 * @param readers readers that there are
 * @param refused announcements refused for want of memory or of a table since the start
 * @param lacking announcements that peers' views lack now: if not 0, the RIB says less than the routers do
 * @param outcomes events by what they did, since the start
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
        long waiting,
        long readers,
        long refused,
        long lacking,
        Map<RouteOutcome, Long> outcomes) {

    /** Whether the RIB lacks routes that routers have announced: the alarm at the bound. */
    public boolean incomplete() {
        return lacking > 0;
    }
}
