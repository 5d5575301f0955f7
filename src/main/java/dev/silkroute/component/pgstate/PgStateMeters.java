package dev.silkroute.component.pgstate;

import dev.silkroute.component.MeterGroup;
import dev.silkroute.component.Metric;
import dev.silkroute.postgres.withdrawal.WithdrawalCause;
import dev.silkroute.postgres.withdrawal.WithdrawalStatistics;
import io.micrometer.core.instrument.MeterRegistry;

/** The statistics of withdrawals as Micrometer meters. */
final class PgStateMeters {
    private PgStateMeters() {}

    static MeterGroup<WithdrawalStatistics> register(MeterRegistry registry, WithdrawalStatistics statistics) {
        MeterGroup<WithdrawalStatistics> meters = new MeterGroup<>(registry, statistics);
        for (WithdrawalCause cause : WithdrawalCause.values()) {
            meters.counter(Metric.PGSTATE_WITHDRAWN_ROUTES, s -> s.routes(cause), "cause", cause.text());
        }
        return meters.counter(Metric.PGSTATE_EXPIRED_TABLES, WithdrawalStatistics::expiredTables)
                .counter(Metric.PGSTATE_PURGES, WithdrawalStatistics::runs)
                .counter(Metric.PGSTATE_PURGE_FAILURES, WithdrawalStatistics::failures)
                .gauge(Metric.PGSTATE_PENDING_TABLES, WithdrawalStatistics::waitingTables)
                .gauge(Metric.PGSTATE_PENDING_WITHDRAWALS, WithdrawalStatistics::waitingWithdrawals)
                .gauge(Metric.PGSTATE_LAST_PURGE, WithdrawalStatistics::lastRunSeconds)
                .gauge(Metric.PGSTATE_LAST_PURGE_DURATION, WithdrawalStatistics::lastTookSeconds);
    }
}
