package dev.silkroute.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.silkroute.bgp.RibView;
import dev.silkroute.chaos.Tables;
import dev.silkroute.fixture.StationProcess;
import dev.silkroute.fixture.TestRouter;
import dev.silkroute.load.LoadPlan;
import dev.silkroute.load.LoadProfile;
import dev.silkroute.load.LoadRouter;
import dev.silkroute.load.TestLoad;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Family;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Breaks a router's connection twice in the middle of its table dump while the table changes. Afterwards the station
 * must hold the table exactly, and history must contain the actual changes.
 */
class ReconnectIT {
    private static final int CHANGES = 600;

    @TempDir
    private Path folder;

    private final ByteSink sink = new ByteSink();

    @Test
    void givenATableThatChangesWhileTheConnectionIsDownWhenDumpsAreInterruptedThenTheResultIsTheTableExactly()
            throws Exception {
        LoadProfile profile = TestLoad.of(11, 2, 400)
                .families(Family.IPV4_UNICAST, Family.VPNV4, Family.EVPN)
                .views(RibView.ADJ_RIB_IN_PRE_POLICY, RibView.ADJ_RIB_OUT_POST_POLICY, RibView.LOC_RIB)
                .paths(2)
                .changes(Long.MAX_VALUE)
                .profile();
        LoadRouter router = new LoadPlan(profile).router(0);
        long routes = profile.initialRoutes();
        try (StationProcess station = StationProcess.startOnSharedServers(folder.resolve("data"))) {
            try (TestRouter connection = TestRouter.connect(station.bmpPort())) {
                tables(router, connection);
                changes(router, connection);
                awaitTable(station, router);
            }
            brokenDump(station, router, routes / 3);
            brokenDump(station, router, routes * 2 / 3);
            changeWhileDisconnected(router);
            try (TestRouter connection = TestRouter.connect(station.bmpPort())) {
                tables(router, connection);
                awaitTable(station, router);
                try (Connection database = station.connect()) {
                    await().untilAsserted(() -> assertThat(Tables.faultsOfHistory(database, List.of(router)))
                            .isEmpty());
                }
                assertThat(station.sql("SELECT DISTINCT event FROM bmp.v_route_history WHERE synthetic"))
                        .containsExactly("withdraw");
                assertThat(station.sql("SELECT count(*) FROM bmp.v_quarantine")).containsExactly("0");
            }
        }
    }

    private void brokenDump(StationProcess station, LoadRouter router, long routes) throws Exception {
        changeWhileDisconnected(router);
        long before = router.announced();
        try (TestRouter connection = TestRouter.connect(station.bmpPort())) {
            while (router.announced() - before < routes) {
                step(router);
                connection.send(sink.toByteArray());
            }
        }
    }

    /** Changes the table while the router is not connected, then restarts its session. */
    private void changeWhileDisconnected(LoadRouter router) {
        while (!router.isChanging()) {
            step(router);
        }
        for (int i = 0; i < CHANGES; i++) {
            step(router);
        }
        router.restart();
    }

    private void tables(LoadRouter router, TestRouter connection) throws Exception {
        while (!router.isChanging()) {
            step(router);
            connection.send(sink.toByteArray());
        }
    }

    private void changes(LoadRouter router, TestRouter connection) throws Exception {
        for (int i = 0; i < CHANGES; i++) {
            step(router);
            connection.send(sink.toByteArray());
        }
    }

    private void step(LoadRouter router) {
        sink.reset();
        router.next(sink);
    }

    private static void awaitTable(StationProcess station, LoadRouter router) throws Exception {
        try (Connection connection = station.connect()) {
            await().untilAsserted(() -> assertThat(Tables.faultsOfState(connection, List.of(router)))
                    .isEmpty());
        }
    }
}
