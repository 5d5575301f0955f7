package dev.silkroute.component.pgcopy;

import dev.silkroute.component.MeterGroup;
import dev.silkroute.postgres.lane.LaneStatistics;
import io.micrometer.core.instrument.MeterRegistry;

/** The statistics of a lane as Micrometer meters. */
final class PgCopyMeters {
    private PgCopyMeters() {}

    static MeterGroup<LaneStatistics> register(MeterRegistry registry, String lane, LaneStatistics statistics) {
        return new MeterGroup<>(registry, statistics, "lane", lane)
                .counter("pgcopy.rows", "Rows written to PostgreSQL", LaneStatistics::rows)
                .counter("pgcopy.records", "Kafka records stored in PostgreSQL", LaneStatistics::records)
                .counter("pgcopy.transactions", "Transactions that stored something", LaneStatistics::transactions)
                .counter("pgcopy.duplicates", "Records read again and not stored again", LaneStatistics::duplicates)
                .counter("pgcopy.gaps", "Gaps: records expired before the lane had read them", LaneStatistics::gaps)
                .counter("pgcopy.gap.records", "Records in gaps", LaneStatistics::skipped)
                .counter("pgcopy.quarantined", "Records that could not be stored", LaneStatistics::recordsSetAside)
                .counter(
                        "pgcopy.quarantined.events",
                        "Events in records, or parts of records, that could not be stored",
                        LaneStatistics::unitsSetAside)
                .counter("pgcopy.retries", "Retries after a failure of the database", LaneStatistics::retries)
                .counter(
                        "pgcopy.rejected",
                        "Batches rejected because they did not continue at the lane's offset",
                        LaneStatistics::refusals);
    }
}
