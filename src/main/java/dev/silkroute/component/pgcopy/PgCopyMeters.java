package dev.silkroute.component.pgcopy;

import dev.silkroute.component.MeterGroup;
import dev.silkroute.component.Metric;
import dev.silkroute.postgres.lane.LaneStatistics;
import io.micrometer.core.instrument.MeterRegistry;

/** The statistics of a lane as Micrometer meters. */
final class PgCopyMeters {
    private PgCopyMeters() {}

    static MeterGroup<LaneStatistics> register(MeterRegistry registry, String lane, LaneStatistics statistics) {
        return new MeterGroup<>(registry, statistics, "lane", lane)
                .counter(Metric.PGCOPY_ROWS, LaneStatistics::rows)
                .counter(Metric.PGCOPY_RECORDS, LaneStatistics::records)
                .counter(Metric.PGCOPY_TRANSACTIONS, LaneStatistics::transactions)
                .counter(Metric.PGCOPY_SUPERSEDED, LaneStatistics::superseded)
                .counter(Metric.PGCOPY_DUPLICATES, LaneStatistics::duplicates)
                .counter(Metric.PGCOPY_GAPS, LaneStatistics::gaps)
                .counter(Metric.PGCOPY_GAP_RECORDS, LaneStatistics::skipped)
                .counter(Metric.PGCOPY_QUARANTINED, LaneStatistics::recordsSetAside)
                .counter(Metric.PGCOPY_QUARANTINED_EVENTS, LaneStatistics::unitsSetAside)
                .counter(Metric.PGCOPY_RETRIES, LaneStatistics::retries)
                .counter(Metric.PGCOPY_REJECTED, LaneStatistics::rejections);
    }
}
