package dev.silkroute.component.pgstate;

import dev.silkroute.component.MeterGroup;
import dev.silkroute.postgres.withdrawal.WithdrawalCause;
import dev.silkroute.postgres.withdrawal.WithdrawalStatistics;
import io.micrometer.core.instrument.MeterRegistry;

/** The statistics of withdrawals as Micrometer meters. */
final class PgStateMeters {
    private PgStateMeters() {}

    static MeterGroup<WithdrawalStatistics> register(MeterRegistry registry, WithdrawalStatistics statistics) {
        MeterGroup<WithdrawalStatistics> meters = new MeterGroup<>(registry, statistics);
        for (WithdrawalCause cause : WithdrawalCause.values()) {
            meters.counter(
                    "pgstate.withdrawn.routes",
                    "Routes withdrawn by the station, by cause",
                    s -> s.routes(cause),
                    "cause",
                    cause.text());
        }
        return meters.counter(
                        "pgstate.expired.tables",
                        "Tables, the routes of a peer in one view, that ended because of a timeout",
                        WithdrawalStatistics::expiredTables)
                .counter("pgstate.purges", "Runs that completed", WithdrawalStatistics::runs)
                .counter("pgstate.purge.failures", "Runs that failed", WithdrawalStatistics::failures)
                .gauge(
                        "pgstate.pending.tables",
                        "Ended tables whose routes are not all removed yet",
                        WithdrawalStatistics::waitingTables)
                .gauge(
                        "pgstate.pending.withdrawals",
                        "Withdrawals in the outbox",
                        WithdrawalStatistics::waitingWithdrawals)
                .gauge(
                        "pgstate.last.purge.timestamp.seconds",
                        "When the last run completed, in seconds since 1970; 0 before the first",
                        WithdrawalStatistics::lastRunSeconds)
                .gauge(
                        "pgstate.last.purge.duration.seconds",
                        "How long the last run took",
                        WithdrawalStatistics::lastTookSeconds);
    }
}
