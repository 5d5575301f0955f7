package dev.silkroute.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.bgp.RibView;
import dev.silkroute.chaos.Monkey;
import dev.silkroute.chaos.Plan;
import dev.silkroute.load.LoadProfile;
import dev.silkroute.load.TestLoad;
import dev.silkroute.net.Family;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills processes of a station at random moments under load and checks that it holds the routers' tables and that
 * history contains each event once. {@code perf/run.sh chaos} does the same at a larger scale.
 * {@code -Dsilkroute.chaos.seed=…} sets another seed, a number or {@code random}; {@code -Dsilkroute.chaos.kills=…}
 * sets the number of kills.
 */
class ChaosIT {
    private static final int KILLS = Integer.getInteger("silkroute.chaos.kills", 7);
    private static final long SEED = seed(System.getProperty("silkroute.chaos.seed", "20261121"));

    @TempDir
    private Path folder;

    private static long seed(String text) {
        return text.equals("random") ? System.nanoTime() & 0xFFFF_FFFFL : Long.parseLong(text);
    }

    @Test
    void givenChurningRoutersWhenProcessesAreKilledThenHistoryHasEachEventOnceAndTheStateIsTheRouters()
            throws Exception {
        LoadProfile load = TestLoad.of(SEED, 3, 80)
                .routers(4)
                .families(Family.IPV4_UNICAST, Family.IPV6_UNICAST, Family.VPNV4, Family.EVPN)
                .views(RibView.ADJ_RIB_IN_PRE_POLICY, RibView.ADJ_RIB_IN_POST_POLICY, RibView.LOC_RIB)
                .paths(2)
                .changes(Long.MAX_VALUE)
                .profile();
        Plan plan = ShortRun.plan(folder, "chaos", load, 250);
        Monkey.Havoc havoc = Monkey.run(plan, SEED, KILLS, 4000, 2000);
        System.out.println(havoc);
        assertThat(havoc.verdict().faults())
                .as("seed %d, %s", SEED, String.join("\n", havoc.diary()))
                .isEmpty();
        assertThat(havoc.verdict().history().rows()).isPositive();
    }
}
