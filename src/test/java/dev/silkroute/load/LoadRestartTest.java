package dev.silkroute.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.bgp.RibView;
import dev.silkroute.fixture.ParsedRecords;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Family;
import dev.silkroute.route.EventKind;
import dev.silkroute.session.Anomaly;
import dev.silkroute.session.DecodedBatch;
import dev.silkroute.session.LaneName;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Checks that a restarted session sends the whole current table and ends with the same routes as an uninterrupted one.
 */
class LoadRestartTest {
    private static LoadRouter router(Churn churn, boolean down) {
        List<Integer> families = List.of(Family.IPV4_UNICAST, Family.VPNV4, Family.IPV6_UNICAST);
        return TestLoad.of(5, 2, 70)
                .families(families)
                .views(EnumSet.allOf(RibView.class))
                .paths(2)
                .churn(churn, 3000)
                .down(down)
                .router();
    }

    private static void assertClean(DecodedBatch decoded) {
        assertThat(ParsedRecords.of(decoded, LaneName.QUARANTINE)).isEmpty();
        for (Anomaly anomaly : Anomaly.values()) {
            assertThat(decoded.anomalies(anomaly)).as(anomaly.text()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(Churn.class)
    void givenRestartsAtRandomPlacesThenTheLastSessionAloneYieldsTheExpectedRoutes(Churn churn) {
        Random random = new Random(churn.ordinal());
        LoadRouter uninterrupted = router(churn, false);
        DecodedLoad.bytes(uninterrupted);
        for (int i = 0; i < 20; i++) {
            LoadRouter router = router(churn, false);
            String place = churn + ", round " + i;
            for (int restarts = random.nextInt(3) + 1; restarts > 0; restarts--) {
                ByteSink lost = new ByteSink();
                for (int steps = random.nextInt(6000); steps > 0; steps--) {
                    router.next(lost);
                }
                router.restart();
            }
            long before = router.announced();

            DecodedBatch last = DecodedLoad.decode(DecodedLoad.bytes(router));

            assertClean(last);
            Map<EventKind, Integer> events = new EnumMap<>(EventKind.class);
            assertThat(DecodedLoad.state(last, events)).as(place).isEqualTo(DecodedLoad.expected(router));
            assertThat(DecodedLoad.expected(router)).as(place).isEqualTo(DecodedLoad.expected(uninterrupted));
            assertThat(events)
                    .as(place)
                    .containsEntry(EventKind.PEER_UP, 3)
                    .containsEntry(EventKind.END_OF_RIB, 9 * 3)
                    .containsEntry(EventKind.ANNOUNCE, (int) (router.announced() - before));
            assertThat(router.changes()).isEqualTo(3000);
        }
    }

    @Test
    void givenARestartBeforeAnyChangeThenTheBytesAreTheSame() {
        LoadRouter router = router(Churn.STEADY, false);
        ByteSink first = new ByteSink();
        while (!router.isChanging()) {
            router.next(first);
        }
        router.restart();
        ByteSink again = new ByteSink();
        while (!router.isChanging()) {
            router.next(again);
        }
        assertThat(again.toByteArray()).isEqualTo(first.toByteArray());
    }

    @Test
    void givenARestartAfterTheEndThenTheTableIsSentAgainWithoutChanges() {
        LoadRouter router = router(Churn.WAVE, false);
        DecodedLoad.bytes(router);
        Map<String, String> expected = DecodedLoad.expected(router);

        router.restart();
        DecodedBatch again = DecodedLoad.decode(DecodedLoad.bytes(router));

        assertClean(again);
        assertThat(DecodedLoad.state(again, new EnumMap<>(EventKind.class)))
                .isEqualTo(expected)
                .isNotEmpty();
        assertThat(router.changes()).isEqualTo(3000);
        assertThat(router.dumped()).isEqualTo(9 * 3 * 70 * 2);
    }

    @Test
    void givenARestartAfterTerminationThenItTerminatesAgain() {
        LoadRouter router = router(Churn.STEADY, true);
        DecodedLoad.bytes(router);
        assertThat(router.isTerminated()).isTrue();

        router.restart();

        assertThat(router.isTerminated()).isFalse();
        DecodedBatch again = DecodedLoad.decode(DecodedLoad.bytes(router));
        assertThat(DecodedLoad.state(again, new EnumMap<>(EventKind.class))).isEmpty();
        assertThat(router.tableSizes()).isEmpty();
    }
}
