package dev.silkroute.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.bgp.RibView;
import dev.silkroute.chaos.Outage;
import dev.silkroute.chaos.Plan;
import dev.silkroute.load.LoadProfile;
import dev.silkroute.load.TestLoad;
import dev.silkroute.net.Family;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Makes Kafka or PostgreSQL unavailable for six seconds while routers send. {@code perf/run.sh outage} does so for a
 * minute at full speed.
 */
class OutageIT {
    @TempDir
    private Path folder;

    @Test
    void givenRoutersThatSendWhenKafkaAndPostgresAreUnavailableThenNothingIsLostOrDoubledAndNoSessionEnds()
            throws Exception {
        LoadProfile load = TestLoad.of(7, 3, 200)
                .routers(4)
                .families(Family.IPV4_UNICAST, Family.VPNV6)
                .views(RibView.ADJ_RIB_IN_PRE_POLICY, RibView.ADJ_RIB_IN_POST_POLICY)
                .changes(Long.MAX_VALUE)
                .profile();
        Plan plan = ShortRun.plan(folder, "outage", load, 1000);
        Outage.Outcome outcome = Outage.run(plan, List.of(Outage.Kind.values()), Duration.ofSeconds(6));
        System.out.println(outcome);
        assertThat(outcome.faults()).isEmpty();
        assertThat(outcome.outages())
                .allSatisfy(past -> assertThat(past.seconds()).isGreaterThanOrEqualTo(6));
        assertThat(outcome.verdict().events()).isGreaterThan(outcome.verdict().routes());
    }
}
