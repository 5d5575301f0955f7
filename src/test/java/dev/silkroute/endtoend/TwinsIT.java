package dev.silkroute.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.bgp.RibView;
import dev.silkroute.chaos.Plan;
import dev.silkroute.chaos.Twins;
import dev.silkroute.load.LoadProfile;
import dev.silkroute.load.TestLoad;
import dev.silkroute.net.Family;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Routers that feed two collectors, one of which is killed at random moments: history has each change once and the
 * state is the routers'. {@code perf/run.sh twins} does the same at a larger scale.
 */
class TwinsIT {
    private static final long SEED = Long.getLong("silkroute.chaos.seed", 4);

    @TempDir
    private Path folder;

    @Test
    void givenRoutersThatFeedTwoCollectorsWhenOneIsKilledThenTheOtherContinuesAndHistoryHasEachChangeOnce()
            throws Exception {
        LoadProfile load = TestLoad.of(SEED, 2, 60)
                .routers(2)
                .families(Family.IPV4_UNICAST, Family.VPNV4)
                .views(RibView.ADJ_RIB_IN_PRE_POLICY, RibView.LOC_RIB)
                .paths(2)
                .changes(Long.MAX_VALUE)
                .profile();
        Plan plan = ShortRun.plan(folder, "twins", load, 50);
        Twins.Outcome outcome = Twins.run(plan, SEED, 2, 8000);
        System.out.println(outcome);
        assertThat(outcome.verdict().faults())
                .as("seed %d, %s", SEED, String.join("\n", outcome.diary()))
                .isEmpty();
        assertThat(outcome.verdict().history().rows()).isPositive();
    }
}
