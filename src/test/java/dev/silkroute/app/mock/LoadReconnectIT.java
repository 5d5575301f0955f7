package dev.silkroute.app.mock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.silkroute.bgp.RibView;
import dev.silkroute.component.replay.Sink;
import dev.silkroute.fixture.ParsedRecords;
import dev.silkroute.load.DecodedLoad;
import dev.silkroute.load.LoadPlan;
import dev.silkroute.load.LoadProfile;
import dev.silkroute.load.LoadRouter;
import dev.silkroute.load.TestLoad;
import dev.silkroute.net.Family;
import dev.silkroute.route.EventKind;
import dev.silkroute.session.DecodedBatch;
import dev.silkroute.session.LaneName;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** With {@code --reconnect}, the last session of each router alone must leave the expected routes. */
class LoadReconnectIT {
    private static final int ROUTERS = 3;
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(Object... arguments) {
        CommandLine command = new CommandLine(new LoadCommand());
        command.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        return command.execute(Arrays.stream(arguments).map(String::valueOf).toArray(String[]::new));
    }

    private static LoadProfile profile(long changes, boolean down) {
        return TestLoad.of(8, 2, 3000)
                .routers(ROUTERS)
                .families(Family.IPV4_UNICAST, Family.VPNV4)
                .views(RibView.ADJ_RIB_IN_PRE_POLICY, RibView.LOC_RIB)
                .changes(changes)
                .down(down)
                .profile();
    }

    private static Map<String, String> expected(LoadProfile profile, int router) {
        LoadRouter source = new LoadPlan(profile).router(router);
        DecodedLoad.bytes(source);
        return DecodedLoad.expected(source);
    }

    /** Asserts that these connections carried one complete session of each router, which leaves the expected routes. */
    private static void assertComplete(LoadProfile profile, List<Sink.Connection> last) {
        Set<String> routers = new HashSet<>();
        for (Sink.Connection connection : last) {
            DecodedBatch decoded = DecodedLoad.decode(connection.bytes());
            assertThat(ParsedRecords.of(decoded, LaneName.QUARANTINE)).isEmpty();
            routers.add(decoded.router());
            int number = Integer.parseInt(decoded.router().substring("load-".length())) - 1;
            assertThat(DecodedLoad.state(decoded, new EnumMap<>(EventKind.class)))
                    .isEqualTo(expected(profile, number));
        }
        assertThat(last).hasSize(profile.routers());
        assertThat(routers).hasSize(profile.routers());
    }

    private static LoadRun start(LoadProfile profile, Sink sink) {
        StationAddress station = StationAddress.parse(sink.address());
        LoadRun run = new LoadRun(
                new LoadPlan(profile), new LoadRun.Options(station, null, 0, 0, false, Duration.ofSeconds(60), null));
        run.start();
        return run;
    }

    private static void settle(LoadRun run, int restarts) {
        await().atMost(LIMIT).until(() -> run.restarts() == restarts && run.await(100));
    }

    @Test
    void afterLossesAnywhereTheLastSessionsLeaveTheExpectedRoutes() throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        LoadProfile profile = profile(6000, false);
        // A table dump alone exceeds each of these limits, so each of these connections is lost.
        int[] limits = random.ints(2 * ROUTERS + 1, 1, 500_000).toArray();
        limits[2 * ROUTERS] = Integer.MAX_VALUE;
        try (Sink sink = new Sink().closeAfter(limits)) {
            int exit = run(
                    "--to",
                    sink.address(),
                    "--reconnect",
                    "--routers",
                    ROUTERS,
                    "--prefixes",
                    3000,
                    "--seed",
                    8,
                    "--churn",
                    6000,
                    "--duration",
                    1,
                    "--families",
                    "ipv4-unicast,vpnv4",
                    "--views",
                    "adj-rib-in-pre,loc-rib");

            assertThat(err.toString()).as("seed " + seed).isEmpty();
            assertThat(exit).isZero();
            await().atMost(LIMIT)
                    .until(() -> sink.connections().size() == 3 * ROUTERS
                            && sink.connections().stream().allMatch(each -> each.ended() != null));
            assertComplete(profile, sink.connections().subList(2 * ROUTERS, 3 * ROUTERS));
            assertThat(out.toString()).contains("; sessions restarted " + 2 * ROUTERS + "\n");
        }
    }

    /** A router that is idle notices the loss and starts a new session, as it would when a station restarts. */
    @Test
    void aLossAfterTheLastMessageStartsANewSession() throws Exception {
        LoadProfile profile = profile(500, false);
        try (Sink sink = new Sink();
                LoadRun run = start(profile, sink)) {
            settle(run, 0);
            await().atMost(LIMIT).until(() -> sink.connections().size() == ROUTERS);

            for (Sink.Connection connection : sink.connections()) {
                connection.hangUp();
            }

            settle(run, ROUTERS);
            assertThat(run.failures()).isEmpty();
            run.close();
            await().atMost(LIMIT).until(() -> sink.connections().stream().allMatch(each -> each.ended() != null));
            assertComplete(
                    profile,
                    sink.connections().subList(ROUTERS, sink.connections().size()));
        }
    }

    @Test
    void aStationThatStartsLaterIsWaitedFor() throws Exception {
        Sink stopped = new Sink();
        stopped.close();
        LoadProfile profile = profile(0, false);
        try (LoadRun run = start(profile, stopped)) {
            assertThat(run.await(700)).isFalse();
            try (Sink sink = new Sink(stopped.port())) {
                await().atMost(LIMIT).until(() -> run.await(100));
                assertThat(run.failures()).isEmpty();
                run.close();
                await().atMost(LIMIT).until(() -> sink.connections().stream().allMatch(each -> each.ended() != null));
                assertComplete(profile, sink.connections());
            }
        }
    }

    /** A router that has sent its Termination does not start a new session. */
    @Test
    void aLossAfterTerminationStartsNoSession() throws Exception {
        try (Sink sink = new Sink();
                LoadRun run = start(profile(0, true), sink)) {
            settle(run, 0);
            await().atMost(LIMIT).until(() -> sink.connections().size() == ROUTERS);
            for (Sink.Connection connection : List.copyOf(sink.connections())) {
                connection.hangUp();
            }
            await().atMost(LIMIT).until(() -> sink.connections().size() == 2 * ROUTERS);
            assertThat(run.await(500)).isTrue();
            assertThat(run.restarts()).isZero();
            assertThat(sink.connections().subList(ROUTERS, 2 * ROUTERS)).allMatch(each -> each.size() == 0);
        }
    }

    @Test
    void aRouterGivesUpWhenTheStationStaysUnreachable() {
        assertThat(run("--to", "127.0.0.1:1", "--reconnect", "0.5")).isEqualTo(1);
        assertThat(err.toString())
                .startsWith("silkroute load: 1 of 1 sessions to 127.0.0.1:1 failed: ")
                .contains("Connection refused")
                .contains("; sessions restarted 0")
                .hasLineCount(1);
    }

    @Test
    void withoutReconnectALossAfterTheLastMessageIsAFailure() throws Exception {
        try (Sink sink = new Sink();
                LoadRun run = new LoadRun(
                        new LoadPlan(profile(0, false)),
                        new LoadRun.Options(StationAddress.parse(sink.address()), null, 0, 0, false, null, null))) {
            run.start();
            assertThat(run.await(LIMIT.toMillis())).isTrue();
            assertThat(run.failures()).isEmpty();

            await().atMost(LIMIT).until(() -> sink.connections().size() == ROUTERS);
            sink.connections().getFirst().hangUp();

            await().atMost(LIMIT).until(() -> run.await(100) && run.failures().size() == 1);
        }
    }
}
